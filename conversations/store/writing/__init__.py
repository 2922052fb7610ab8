"""How conversations are written down."""
