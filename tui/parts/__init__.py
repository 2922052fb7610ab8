"""What several screens are made of: lists, lines, fields, dialogs and the line of keys."""
