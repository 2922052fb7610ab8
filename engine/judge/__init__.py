"""The judge: the model that is asked, its limits, its replies and what it costs.

settings   what a judge is                    choose         from what the user wrote to settings
questions  one question and its messages      judge          asks: cache, limit, retries, one client
replies    text of an answer to an object     schemas        an object checked against its schema
calls      every call that was made           probabilities  scores weighted by token probability
wire       the client and what it sends       abilities      what a server takes and what it refuses
faults     what can go wrong, in words        retries        trying again while there is hope
limits     calls in flight                    flights        the same question asked once
prices     what a call cost                   served         which models a server offers
"""
