"""Language models that can be reached, by whoever asks them: judges and chatbots stand above this room.

settings   which model is asked and how          choose     from what a user wrote to settings
provider   what is needed of a model's API       providers  the APIs there are, one line each

Each provider that `providers` lists has a module or a room here, which says what it is.

connections   the HTTP client of all: nothing too large, no redirect
wire          the client of the Chat Completions API, and served, which models such servers offer
reply_fields  what stands beside a reply, read with care
limits        calls in flight, retries, sharing     faults  what can go wrong, in words
waits         what is waited for, in words          prices  what a call cost
"""
