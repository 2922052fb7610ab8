"""Graphs of questions that lead to a verdict: nodes, the graph, the walk along it, and the two metrics."""
