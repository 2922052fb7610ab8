"""Chatbots that can be talked to: a language model that can be reached, or any program behind HTTP.

choose       which chatbot is meant, and which there are
targets      a language model as a chatbot, and the errors of one that does not answer
http_target  a chatbot behind any HTTP address      http_requests  how it is asked, from a template
limits       how long a chatbot is waited for
talk         a reply to a recorded conversation, given piece by piece and kept however it ends
"""
