"""Which sessions are unlike all that was reviewed, told without a model."""
