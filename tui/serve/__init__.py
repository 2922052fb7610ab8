"""The app in a browser, on this machine alone: a server that starts one app a visitor."""
