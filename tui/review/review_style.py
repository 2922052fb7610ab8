"""Style: where the parts of a review stand, beside each other or in a narrow window under each other."""

from __future__ import annotations

STYLE = """
ReviewScreen {
    & #body { height: 1fr; layout: horizontal; layers: base over; }
    /* Over the lower edges of the frames, so that nothing is laid out anew where a note is written. */
    & NoteLine { layer: over; dock: bottom; }
    &.-narrow NoteLine { layer: base; }
    & #reading { width: 1fr; height: 1fr; margin: 1 0 0 0; layers: base over; }
    & PromptLine { layer: over; dock: bottom; }
    & TranscriptView { height: 1fr; }
    & ScorePane { width: 38%; min-width: 38; max-width: 64; height: 1fr; }
    &.-roomy.-high ScorePane { width: 40%; max-width: 66; }
    &.-roomy.-high #reading { margin: 0; }
    &.-narrow #body { layout: vertical; }
    &.-narrow #reading { margin: 0; }
    &.-narrow ScorePane { width: 1fr; max-width: 100%; height: 5; }
}
"""
