"""All that turnwise takes of the inside of Textual and Rich; of how screens open see textual_screens.py.

No other module of tui touches a private name.

Each function says why what Textual offers to everybody does not do, and names the issue at Textualize/textual
where that is told. When Textual is brought up to date, these are the modules to look through; they were
written against 8.2.
"""
