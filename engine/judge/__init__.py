"""The judge: a language model that is asked questions, whose answers are checked and kept.

judge       asks: what is kept, one call for all who ask the same, retries, one client
questions   one question, its messages, and the answer found in a call
replies     from the text of a reply to an object, checked against its schema
calls       every call that was made            evidence       calls kept in the database
transcripts conversations as a judge reads them pictures       images that go with a question
probabilities  scores weighted by token probability
embeddings  texts as vectors, by the judge's server or another
"""
