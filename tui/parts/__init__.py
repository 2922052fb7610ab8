"""What several screens are made of: lists of choices, fields, dialogs and the line of keys."""
