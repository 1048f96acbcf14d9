"""Measures of streams: those of [measures], and from recorded predictions ([trace] predictions = true)."""

from ..errors import ClaimError
from ..results.streams import built_in, value_of
from .registry import NUMBER, TRIAL, Kind, function

STREAM = Kind("a measure of streams", choices=lambda: tuple(built_in()))


@function("stream", STREAM, TRIAL, repeated=NUMBER)
def stream(results, name, trial, *windows):
    """A measure at the end of the stream: over all steps, or over the last WINDOW steps with a third argument."""
    if len(windows) > 1 or any(window < 1 or window != int(window) for window in windows):
        raise ClaimError(f"stream({name}, {trial}, ...): the window must be one number of steps >= 1")
    text = f"{name}@{int(windows[0])}" if windows else name
    return results.mean(trial, lambda trace: value_of(trace, text))
