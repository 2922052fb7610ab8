"""The tour: one line that leads, step by step, to what is wrong with a chatbot and how sure that is."""
