"""Language models that can be reached, by whoever asks them: judges and chatbots stand above this room.

settings   which model is asked and how          choose     from what a user wrote to settings
provider   what is needed of a model's API       providers  the APIs there are, one line each

The providers:
openai_compatible   the Chat Completions API, asked for as much as a server takes
anthropic_messages  Anthropic's Messages API
embedded            models that turnwise runs itself
offline             kept replies alone

wire       the client of the Chat Completions API, and served, which models such servers offer
limits     calls in flight, retries, sharing     faults     what can go wrong, in words
prices     what a call cost
"""
