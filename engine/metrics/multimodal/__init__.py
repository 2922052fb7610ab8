"""Metrics that judge images: an MLLMTestCase, by a judge that sees."""
