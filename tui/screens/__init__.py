"""The screens and dialogs of the app."""
