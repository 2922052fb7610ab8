"""Checks, for every door: promptfoo's files, AgentV's files and `turnwise score --metric`.

A check is one function of what is asked (Check), what was answered (Answer) and the asker (Asker) to a
Finding; one that asks somebody is a coroutine function. The registry finds the function of a type.
"""
