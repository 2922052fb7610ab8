"""Talking to a chatbot, every turn kept."""
