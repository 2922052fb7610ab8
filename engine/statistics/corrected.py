"""Corrected: the pass rate that people would find, from a judge's rate and how often the judge errs."""

from __future__ import annotations

from math import isnan, nan

from turnwise.engine.statistics.rates import Confusion


def corrected_rate(observed: float, tpr: float, tnr: float) -> float:
    """Return the true pass rate, cut to 0..1, of what a judge passed at the rate `observed`.

    tpr, tnr: how often the judge is right about what people pass and fail, 0 to 1. nan where one of the
    three is nan, and where tpr + tnr is 1 or less: such a judge tells nothing apart.
    Source: Rogan and Gladen, Estimating Prevalence from the Results of a Screening Test (1978).
    """
    told_apart = tpr + tnr - 1
    if isnan(observed) or isnan(told_apart) or told_apart <= 0:
        return nan
    return min(1.0, max(0.0, (observed + tnr - 1) / told_apart))


def corrected_rate_of(matrix: Confusion, passed: int, scored: int) -> float:
    """Return the true pass rate of `scored` sessions, `passed` of which the judge passed.

    matrix: the judge against people, on those that people labelled. nan as in `corrected_rate`, and where
    nothing was scored.
    """
    return corrected_rate(passed / scored, matrix.tpr, matrix.tnr) if scored else nan
