"""What the children of the fork server report: each has its own pipe, and nothing that comes out of it is trusted.

A child can only report progress. The fork server adds the id of the request, which a child cannot name.
Tests: rogueYtDlp.test.ts.
"""
import json
import math
import os
import time

CHUNK_BYTES = 65_536
LINE_BYTES_MAX = 4_096
READ_EVERY_SECONDS = 0.1  # of each pipe: a child that floods its own is slowed down, and nobody else
TEXT_CHARS_MAX = 40


def plain(value):
    """Whether the value is null, a short text or a finite number."""
    if isinstance(value, str):
        return len(value) <= TEXT_CHARS_MAX
    return value is None or type(value) in (int, float) and math.isfinite(value)


def progress_of(line):
    """The progress in a line; None if there is none."""
    try:
        progress = json.loads(line)
        return {key: value for key, value in progress.items() if len(key) <= TEXT_CHARS_MAX and plain(value)}
    except (ValueError, AttributeError, OverflowError, RecursionError):
        return None


class Reports:
    """The reading end of one child's pipe."""

    def __init__(self, descriptor):
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor  # None once it is closed
        self.pending = b''
        self.reads_at = 0.0

    def wait_seconds(self, now):
        """How long it is left alone, which slows down a child that floods it."""
        return max(0.0, self.reads_at - now)

    def read(self):
        """The last progress that was reported since; None if there is none. Never blocks."""
        if self.descriptor is None:
            return None
        self.reads_at = time.monotonic() + READ_EVERY_SECONDS
        try:
            data = os.read(self.descriptor, CHUNK_BYTES)
        except BlockingIOError:
            return None
        if not data:
            self.close()
            return None
        *lines, pending = (self.pending + data).split(b'\n')
        # A line that is too long keeps one byte too many, and so is refused when it ends.
        self.pending = pending[-LINE_BYTES_MAX - 1:]
        last = next((line for line in reversed(lines) if line), b'')
        return progress_of(last) if len(last) <= LINE_BYTES_MAX else None

    def close(self):
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None
