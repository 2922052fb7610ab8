"""What a person chose for this machine: settings, keys, themes, and the name labels are kept under."""
