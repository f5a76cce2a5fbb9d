"""What extractors ask for beside the media, captions and comments: a source that refuses it ends no look.

What was refused is noted for the answer, also where an extractor goes on as if there were nothing.
"""
from yt_dlp.extractor.common import InfoExtractor


def noting(ydl, refused, part, explain):
    """A way to open addresses that keeps the first failure under the name of the part, until it is made good."""
    plain, failed = ydl.urlopen, []

    def urlopen(request):
        url = getattr(request, 'url', request)
        try:
            response = plain(request)
        except Exception as error:
            failed[:] = failed or [url]
            refused.setdefault(part, explain(error))
            raise
        if failed == [url]:
            refused.pop(part, None)
        return response
    return urlopen


class Noted:
    """While it is entered, whatever cannot be opened is noted; an error ends the part, not the look."""

    def __init__(self, ydl, refused, part, explain):
        self.ydl, self.refused, self.part, self.explain = ydl, refused, part, explain

    def __enter__(self):
        self.before = self.ydl.__dict__.get('urlopen')
        self.ydl.urlopen = noting(self.ydl, self.refused, self.part, self.explain)

    def __exit__(self, kind, error, _):
        if self.before:
            self.ydl.urlopen = self.before
        else:
            del self.ydl.urlopen
        if isinstance(error, Exception):
            self.refused.setdefault(self.part, self.explain(error))
            return True
        return False


def note_captions(refused, explain):
    """Bilibili and others fail a whole look whose captions are refused."""
    for name in ('extract_subtitles', 'extract_automatic_captions'):
        def extract(self, *args, _plain=getattr(InfoExtractor, name), **kwargs):
            with Noted(self._downloader, refused, 'captions', explain):
                return _plain(self, *args, **kwargs)
            return {}
        setattr(InfoExtractor, name, extract)
