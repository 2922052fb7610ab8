"""Commands that talk to a chatbot or play a talk again."""
