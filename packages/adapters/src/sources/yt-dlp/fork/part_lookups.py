"""Look-ups besides the media (captions, comments): a rejection must not fail the whole inspection.

Rejections are recorded in the answer, even if an extractor continues as if there were nothing. Tests: lookups.test.ts.
"""
import itertools
import signal

from yt_dlp.extractor.common import InfoExtractor


def noting(ydl, part, explain):
    """Wraps urlopen and records the first failed request of a part, unless a repetition of it succeeds."""
    plain, failed = ydl.urlopen, []

    def urlopen(request):
        url = getattr(request, 'url', request)
        try:
            response = plain(request)
        except Exception as error:
            failed[:] = failed or [url]
            ydl.refused.setdefault(part, explain(error))
            raise
        if failed == [url]:
            ydl.refused.pop(part, None)
        return response
    return urlopen


class Noted:
    """While active, failed requests are recorded; an error ends the part, not the inspection."""

    def __init__(self, ydl, part, explain):
        self.ydl, self.part, self.explain = ydl, part, explain

    def __enter__(self):
        self.before = self.ydl.__dict__.get('urlopen')
        self.ydl.urlopen = noting(self.ydl, self.part, self.explain)

    def __exit__(self, kind, error, _):
        if self.before:
            self.ydl.urlopen = self.before
        else:
            del self.ydl.urlopen
        if isinstance(error, Exception):
            self.ydl.refused.setdefault(self.part, self.explain(error))
            return True
        return False


def note_captions(explain):
    """Keeps Bilibili and others from failing the whole inspection if captions are rejected."""
    for name in ('extract_subtitles', 'extract_automatic_captions'):
        def extract(self, *args, _plain=getattr(InfoExtractor, name), **kwargs):
            if self._downloader.refused is None:
                return _plain(self, *args, **kwargs)
            with Noted(self._downloader, 'captions', explain):
                return _plain(self, *args, **kwargs)
            return {}
        setattr(InfoExtractor, name, extract)


def bound_comments(explain):
    """Limits every extractor's comments by count and time, and keeps those received so far."""
    def extract_comments(self, *args, _plain=InfoExtractor.extract_comments, **kwargs):
        bounds = self._downloader.comments
        if not bounds:
            return _plain(self, *args, **kwargs)
        generator = itertools.islice(self._get_comments(*args, **kwargs), bounds['max'])

        def extractor():
            comments = []
            try:
                with Noted(self._downloader, 'comments', explain):
                    for comment in generator:
                        comments.append(comment)
            except KeyboardInterrupt:
                pass
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            return {'comments': comments}
        return extractor
    InfoExtractor.extract_comments = extract_comments


def note_comment_readers(ydl, info):
    """Notes in each result whether its extractor can read comments: most do not say how many there are."""
    for result in filter(None, (info, *(info.get('entries') or ()))):
        extractor = ydl._ies_instances.get(result.get('extractor_key'))
        result['_reads_comments'] = bool(result.get('comments')) or (
            extractor is not None and type(extractor)._get_comments is not InfoExtractor._get_comments)


def start_clock(seconds):
    """Time limit of comments: interrupts reading as Ctrl+C would."""
    def interrupt(*_):
        raise KeyboardInterrupt
    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
