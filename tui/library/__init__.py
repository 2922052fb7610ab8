"""The library: lists of sessions, how they are filtered, sorted, tagged, queued, imported and exported."""
