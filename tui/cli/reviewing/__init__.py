"""Commands about stored sessions: bring in, list, show, label, queue and export them."""
