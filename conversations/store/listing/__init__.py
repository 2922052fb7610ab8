"""Which sessions there are: by their ids, in an order, and where one stands among them."""
