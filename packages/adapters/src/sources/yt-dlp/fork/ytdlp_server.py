"""Fork server for yt-dlp: imports it once with every extractor, then forks one child per request.

Its arguments are the operator's yt-dlp options, so that their plugins are loaded before the first request. In a
sandbox they follow `--confine-children RUNS_FOLDER PROXY_PORT PROXY_SOCKET`, with which every child gets its own
namespaces. Messages are lines of JSON:
  in   {"id", "operation": "inspect"|"download", "argv", "url", "folder", "answer", "environment",
        "memoryMaxBytes", "fileMaxBytes", "cpuMaxSeconds", "openFilesMax", "processesMax",
        "sharesPage", "comments": {"max", "seconds"}}  or  {"cancel": id}
  out  {"ready": true} or {"ready": false, "why"}, {"id", "progress": {...}}, {"id", "exit": code}
It is not ready if it cannot run this yt-dlp: a member that it uses is missing, or has another meaning.
The child writes its result to the file "answer". In it, "refused" is the reason why captions or comments could not be
read, by part. A child reports progress to a pipe of its own, to which the server adds the id; that it has ended, and how,
the server only learns from the system. Children die with the server, which exits when its stdin is closed. Tests: forkServer.test.ts.
"""
import _strptime
import concurrent.futures.thread  # noqa: F401, loaded here for concurrent segments
import functools
import gc
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time

import child_namespaces
import child_processes
import proxy_socket

gc.disable()  # hardly any loaded object becomes garbage, and collection takes a quarter of the start-up time
os.environ['YTDLP_NO_LAZY_EXTRACTORS'] = '1'  # all extractors are loaded once, here, not in every child
if os.environ.get('WINNOW_YTDLP_IMPORT_PATH'):
    sys.path.insert(0, os.environ.pop('WINNOW_YTDLP_IMPORT_PATH'))

try:
    import extractor_index
    import part_lookups
    import private_members
    import read_once
    import yt_dlp
    import yt_dlp.downloader.dash  # noqa: F401
    import yt_dlp.downloader.external
    import yt_dlp.downloader.hls  # noqa: F401
    import yt_dlp.extractor
    import yt_dlp.networking.common as networking
    from yt_dlp.globals import plugin_dirs
    from yt_dlp.plugins import load_all_plugins
    from yt_dlp.postprocessor import FFmpegPostProcessor
    from yt_dlp.utils import DownloadError, UserNotLive
except ImportError as error:
    child_processes.refuse(str(error))

VERSION = f'yt-dlp {yt_dlp.version.__version__}'
PROGRESS_EVERY_SECONDS = 0.5
PROGRESS_EVERY_SHARE = 0.1  # of the bytes: a source that sends many at once may then pause for long
RUN_OPTIONS = {'--proxy': 'proxy', '--cookies': 'cookiefile'}  # options of a single run, which come last, and their keys in ydl_opts
CHANGED = AttributeError, LookupError, TypeError, ValueError  # what a member of another meaning raises
PARSED, PARSED_MAX = {}, 16  # parsed options that runs share


class Silent:
    def debug(self, message):
        pass

    info = warning = error = debug


class FirstError(Silent):
    """Keeps the first error: a thread that fails during clean-up may raise another one."""

    def __init__(self):
        self.message = None

    def error(self, message):
        self.message = self.message or message


def prepare_program():
    """Allows a JavaScript engine, which reserves much address space, more of it; time and files stay limited."""
    child_processes.die_with_parent()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def popen_that_dies_with_us(self, *args, _init=subprocess.Popen.__init__, **kwargs):
    kwargs.setdefault('preexec_fn', prepare_program)
    return _init(self, *args, **kwargs)


def refuse_programs():
    """Disables yt-dlp's external downloaders: they would fetch the URL again, bypassing our limits.

    Without ffmpeg, yt-dlp downloads what it can itself, and fails with this message for the rest.
    """
    def real_download(self, filename, info_dict):
        self.report_error('ffmpeg exited with code 1')
        return False

    external = yt_dlp.downloader.external
    # RTMP and RTSP also use external programs; newer versions have only the first or neither.
    others = [getattr(yt_dlp.downloader, name, None) for name in ('RtmpFD', 'RtspFD')]
    for downloader in filter(None, (external.ExternalFD, external.FFmpegFD, *others)):
        downloader.real_download = real_download
    for downloader in (external.ExternalFD, external.FFmpegFD):
        downloader.available = classmethod(lambda cls, path=None: False)


def split(argv):
    """Separates the options that runs share from those of this run."""
    shared, own = list(argv), {}
    while len(shared) > 1 and shared[-2] in RUN_OPTIONS:
        value, name = shared.pop(), RUN_OPTIONS[shared.pop()]
        own[name] = value
    return tuple(shared), own


def parse(argv):
    """Parses the options as the command does. Known shared options save a tenth of the time of an inspection."""
    shared, own = split(argv)
    parsed = PARSED.get(shared) or yt_dlp.parse_options(list(shared))
    return parsed._replace(ydl_opts={**parsed.ydl_opts, **own})


def load_plugins(directories):
    """Loads plugins as yt-dlp's own main() does."""
    plugin_dirs.value = directories
    if directories:
        load_all_plugins()


def keep_compiled():
    """Enlarges both caches of compiled patterns, which are too small for 1,800 extractors by default."""
    re._MAXCACHE = 8192
    _strptime._CACHE_MAX_SIZE = 1024
    networking.make_ssl_context = functools.lru_cache(networking.make_ssl_context)


WARM_PAGE = '<html><head><title>warm</title>%s</head><body>%s</body></html>'
WARM_VIDEO = """<script type="application/ld+json">{"@context": "https://schema.org", "@type": "VideoObject",
"name": "warm", "uploadDate": "2025-03-04T10:00:00Z", "duration": "PT1S", "contentUrl": "http://warm.invalid/a.m3u8",
"thumbnailUrl": "http://warm.invalid/a.jpg"}</script>"""
WARM_PLAYLIST = """#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=2x2,CODECS="avc1.64000d,mp4a.40.2"
b.m3u8
"""


def extract_samples(template):
    """Extracts made-up pages, so that all patterns are compiled and all modules loaded. A member that is there may
    have changed its meaning."""
    pages = {'article': WARM_PAGE % ('', ''), 'data': WARM_PAGE % (WARM_VIDEO, ''),
             'video': WARM_PAGE % (WARM_VIDEO, '<video src="a.mp4">')}

    def urlopen(request):
        url = getattr(request, 'url', request)
        page = pages.get(url.rpartition('/')[2])
        kind = 'text/html' if page else 'application/vnd.apple.mpegurl'
        return networking.Response(io.BytesIO((page or WARM_PLAYLIST).encode()), url, {'Content-Type': kind})
    template.urlopen = urlopen
    for name in (*pages, 'a.m3u8'):
        try:
            template.sanitize_info(template.extract_info(f'http://warm.invalid/{name}', download=False))
        except Exception as error:
            explanation = explain(error)
            if name != 'article':  # in which there is no media
                child_processes.refuse(f'{VERSION} fails in the fork server: {explanation["message"]}')
    del template.urlopen


def warm(argv):
    """A YoutubeDL that has done what each request would otherwise repeat: compiled patterns, looked up programs."""
    parsed = parse(argv)
    refuse_programs()
    load_plugins(getattr(parsed.options, 'plugin_dirs', []) or [])
    keep_compiled()
    part_lookups.note_captions(explain)
    part_lookups.bound_comments(explain)
    template = PatchedYoutubeDL({**parsed.ydl_opts, 'logger': Silent(), 'quiet': True})
    template._ies = extractor_index.Extractors(template._ies)
    for _, extractor in template._ies.items():  # those that may match any URL
        try:
            extractor.suitable('http://warm.invalid/')
        except Exception:
            pass
    extract_samples(template)
    FFmpegPostProcessor.get_versions(template)  # cached; otherwise every child would run `ffmpeg -version`
    networking.make_ssl_context(verify=True, legacy_support=False, use_certifi=True)  # cached; as the handlers do
    return template


def limit(request):
    for name, value in (('RLIMIT_AS', request.get('memoryMaxBytes')), ('RLIMIT_FSIZE', request.get('fileMaxBytes')),
                        ('RLIMIT_CPU', request.get('cpuMaxSeconds')), ('RLIMIT_NOFILE', request.get('openFilesMax')),
                        ('RLIMIT_NPROC', request.get('processesMax')), ('RLIMIT_CORE', 0)):
        if value is None:
            continue
        try:
            limited = getattr(resource, name)
            hard = resource.getrlimit(limited)[1]
            # Only of address space may the child give a JavaScript engine more than itself.
            resource.setrlimit(limited, (value, hard if name == 'RLIMIT_AS' else value))
        except (ValueError, OSError, AttributeError):
            pass  # without this limit, the proxy's byte budget and the time limit still apply
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write beyond the limit is an error instead of killing the process


def progress_hook(report):
    said_at, said_share = -PROGRESS_EVERY_SECONDS, 0.0

    def hook(status):
        nonlocal said_at, said_share
        now, total = time.monotonic(), status.get('total_bytes') or status.get('total_bytes_estimate')
        share = (status.get('downloaded_bytes') or 0) / total if total else 0.0
        is_over = status.get('status') == 'finished'
        if not (is_over or now - said_at >= PROGRESS_EVERY_SECONDS or share - said_share >= PROGRESS_EVERY_SHARE):
            return
        said_at, said_share = now, 0.0 if is_over else share  # the next file may follow
        keys = ('status', 'downloaded_bytes', 'total_bytes', 'total_bytes_estimate', 'fragment_index', 'fragment_count')
        os.write(report, json.dumps({key: status.get(key) for key in keys}).encode() + b'\n')
    return hook


def waiting_time(root):
    """The Retry-After header; None if there is none."""
    headers = getattr(getattr(root, 'response', root), 'headers', None)
    return headers.get('Retry-After') if hasattr(headers, 'get') else None


def is_out_of_memory(error, depth=8):
    """Whether it, or an error that it wraps, is a MemoryError: yt-dlp decompresses a response whole."""
    if depth == 0 or not isinstance(error, BaseException):
        return False
    _, wrapped, *_ = getattr(error, 'exc_info', None) or (None, None)
    inner = [*getattr(error, 'unexpected_errors', ()), getattr(error, 'cause', None), error.__context__, wrapped]
    return isinstance(error, MemoryError) or any(is_out_of_memory(each, depth - 1) for each in inner)


def explain(error, first_message=None):
    """Describes an error by the exception that yt-dlp wrapped, otherwise by the first message that it logged."""
    if is_out_of_memory(error):
        cause = MemoryError()
    elif isinstance(error, DownloadError):
        # If an extractor replaced an HTTP error with its own message, exc_info has the HTTP error and __context__ the
        # message.
        cause = error.__context__ or (error.exc_info and error.exc_info[1])
    elif first_message:
        return {'ok': False, 'type': 'DownloadError', 'status': None, 'expected': None, 'extractor': None,
                'message': first_message[:4000]}
    else:
        cause = error
    root = getattr(cause, 'cause', None)
    status = getattr(root, 'status', None) or getattr(cause, 'status', None)
    message = getattr(cause, 'orig_msg', None) or getattr(error, 'msg', None) or str(error)
    extractor = re.search(r'\[([\w:+-]+)\]', str(error)[:200])
    expected = getattr(cause, 'expected', None)
    return {'ok': False, 'type': type(cause or error).__name__, 'status': status if isinstance(status, int) else None,
            'retryAfter': waiting_time(root or cause),
            'expected': expected if isinstance(expected, bool) else None, 'extractor': extractor and extractor.group(1), 'message': f'{message} {root or ""}'[:4000]}


class PatchedYoutubeDL(yt_dlp.YoutubeDL):
    refused = None  # by part: why captions or comments could not be read
    comments = None  # limits of the comments to read
    once = None  # what an inspection need not ask for again

    def urlopen(self, request):
        return self.once.open(request) if self.once else super().urlopen(request)

    def extract_info(self, url, *args, **kwargs):
        self._ies.url = url
        return super().extract_info(url, *args, **kwargs)

    def raise_no_formats(self, info, *args, **kwargs):
        """Reports a broadcast without formats as one that has not begun; yt-dlp only reports missing formats."""
        if info.get('live_status') in ('is_live', 'is_upcoming', 'post_live'):
            raise UserNotLive(video_id=info.get('id'))
        return super().raise_no_formats(info, *args, **kwargs)


def make(parsed):
    return PatchedYoutubeDL({**parsed.ydl_opts, 'logger': Silent(), 'quiet': True}, auto_init=False)


def prepare(request, template):
    """Prepares for later children what runs have in common: a site's patterns, and parsed options."""
    if request['operation'] == 'inspect':
        template._ies.compile_for(request['url'])
    shared, _ = split(request['argv'])
    if shared not in PARSED and len(PARSED) < PARSED_MAX:
        try:
            PARSED[shared] = yt_dlp.parse_options(list(shared))
        except (Exception, SystemExit):
            pass  # the child reports what is wrong with the options
        gc.freeze()


def inspect(request, ydl, template, report):
    url = request['url']
    if request['sharesPage'] and chosen_extractor(template, url) == 'generic':
        ydl.once = read_once.ReadOnce(ydl, url, super(PatchedYoutubeDL, ydl).urlopen, report)
    ydl.refused, ydl.comments = {}, request.get('comments')
    if ydl.comments:
        part_lookups.start_clock(ydl.comments['seconds'])
    info = ydl.extract_info(url, download=False)
    ydl.post_extract(info)
    answer = ydl.sanitize_info(info)
    part_lookups.note_comment_readers(ydl, answer)
    return {'ok': True, 'info': answer, 'refused': ydl.refused, 'manifests': ydl.once.manifests if ydl.once else {}}


def download(ydl, info_file, report):
    ydl.add_progress_hook(progress_hook(report))
    code = ydl.download_with_info_file(info_file)
    return {'ok': True, 'info': None} if not code else \
        {'ok': False, 'type': 'DownloadError', 'status': None, 'expected': True, 'extractor': None, 'message': 'failed'}


def equip(ydl, template, log):
    """Gives a YoutubeDL the extractors of the template, and its own log."""
    ydl.params['logger'] = log
    ydl._ies, ydl._ies_instances = template._ies, template._ies_instances
    for extractor in ydl._ies_instances.values():
        extractor.set_downloader(ydl)
    return ydl


def perform(request, template, report, log):
    parsed = parse(request['argv'])
    ydl = equip(make(parsed), template, log)
    if request['operation'] == 'inspect':
        return inspect(request, ydl, template, report)
    return download(ydl, parsed.options.load_info_filename, report)


def chosen_extractor(template, url):
    """The extractor that reads a URL: a crash does not say in which one it happened."""
    template._ies.url = url or ''
    return next((each.IE_NAME for _, each in template._ies.items() if url and each.suitable(url)), None)


def child(request, report, template):
    os.environ.update(request['environment'])
    os.chdir(request['folder'])
    gc.enable()
    limit(request)
    log = FirstError()
    try:
        answer = perform(request, template, report, log)
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        answer = explain(error, log.message)
        answer['extractor'] = answer['extractor'] or chosen_extractor(template, request.get('url'))
    temporary = request['answer'] + '.part'
    with open(temporary, 'w', encoding='utf-8', errors='surrogatepass') as file:
        json.dump(answer, file)
    os.rename(temporary, request['answer'])
    return 0


if __name__ == '__main__':
    subprocess.Popen.__init__ = popen_that_dies_with_us
    arguments, runs_folder = sys.argv[1:], None
    if arguments[:1] == ['--confine-children']:
        _, runs_folder, port, socket_path, *arguments = arguments
        proxy_socket.use(int(port), socket_path)
        if not child_namespaces.check():
            child_processes.refuse('the system allows no namespaces inside the sandbox')
    try:
        if lost := private_members.missing():
            child_processes.refuse(f'{VERSION} lacks {", ".join(lost)}')
        warmed = warm(arguments)
    except CHANGED as error:
        child_processes.refuse(f'{VERSION} fails in the fork server: {error}')
    gc.freeze()  # children share this memory: a collection in one would copy it, and one here would free nothing
    child_processes.say({'ready': True})
    child_processes.Server(lambda request, report: child(request, report, warmed), lambda request: prepare(request, warmed),
                           runs_folder).serve()
