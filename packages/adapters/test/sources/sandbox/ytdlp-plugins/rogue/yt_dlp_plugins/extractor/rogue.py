"""A yt-dlp plugin for tests: an extractor that an attacker controls, in a child of the fork server.

The path of the URL names what it does; its results are the description of the video.
"""
import ctypes
import json
import os
import resource
import signal
import stat
import time
import urllib.parse

from yt_dlp.downloader.http import HttpFD
from yt_dlp.extractor.common import InfoExtractor

SECONDS = 6
IDS_MAX = 200
CLONE_NEWUSER = 0x10000000


def pipes():
    """Descriptors of pipes and sockets."""
    found = []
    for descriptor in range(256):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            continue
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            found.append(descriptor)
    return found


def write_until(end, data):
    for descriptor in pipes():
        os.set_blocking(descriptor, False)
    while time.monotonic() < end:
        for descriptor in pipes():
            try:
                os.write(descriptor, data)
            except OSError:
                pass
        time.sleep(0.001)


def forge():
    """Ends all requests, in the name of the fork server."""
    held = pipes()
    lines = ''.join(json.dumps(line) + '\n' for request in range(1, IDS_MAX)
                    for line in ({'id': request, 'exit': 0}, {'id': request, 'progress': {'downloaded_bytes': 1}}))
    write_until(time.monotonic() + SECONDS, lines.encode())
    return {'held': len(held)}


def flood():
    write_until(time.monotonic() + SECONDS, b'{' * 65_536)
    return {}


def close():
    for descriptor in pipes():
        os.close(descriptor)
    time.sleep(1)
    return {}


def leave_open():
    """Leaves a process behind that holds the pipe."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
        os._exit(0)
    return {}


def evade():
    """Never ends. Tries to join the group of another process that ends, which the kernel could not clean up."""
    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.write(writes, b'.')
        time.sleep(600)
        os._exit(0)
    os.read(reads, 1)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        os.setpgid(0, pid)
    except OSError:
        pass
    time.sleep(600)
    return {}


def opened(path):
    """Whether it can be opened for writing; nothing is written."""
    try:
        os.close(os.open(path, os.O_WRONLY))
        return True
    except OSError:
        return False


def raised(name):
    try:
        resource.setrlimit(name, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        return True
    except (OSError, ValueError):
        pass
    soft, hard = resource.getrlimit(name)
    return soft != hard


def escape():
    libc = ctypes.CDLL(None, use_errno=True)
    return {
        'a user namespace': libc.unshare(CLONE_NEWUSER) == 0,
        'a mount': libc.mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0,
        'the limit of user namespaces': opened('/proc/sys/user/max_user_namespaces'),
        'a setting of the kernel': opened('/proc/sys/kernel/core_pattern'),
        'larger files': raised(resource.RLIMIT_FSIZE),
        'more processor time': raised(resource.RLIMIT_CPU),
        'more open files': raised(resource.RLIMIT_NOFILE),
    }


DEEDS = {deed.__name__: deed for deed in (forge, flood, close, leave_open, evade, escape)}


NAMES = ('subtitles.en.vtt', 'subtitles.en.srt', 'comments.json', 'thumbnail.jpg', 'description.txt',
         'metadata.json', 'transcript.txt', 'transcript.json', 'video.mp4', 'audio.m4a', 'audio.media',
         'info.json', 'answer.json', 'answer.json.part', 'ffmpeg', 'page.md')


def replace(name, make):
    if os.path.lexists(name):
        os.unlink(name)
    make(name)


def plant(kind, outside, filename):
    """Puts links and other things in place of files that the server may write or read. True: instead of a download."""
    if kind == 'names':
        for name in NAMES:
            if name != 'answer.json.part':
                replace(name, lambda name: os.symlink(os.path.join(outside, name), name))
        return False
    if kind == 'answer':
        replace('answer.json', lambda name: os.symlink(os.path.join(outside, 'answer.json'), name))
        os._exit(0)
    if kind == 'answer_fifo':
        replace('answer.json', os.mkfifo)
        os._exit(0)
    makers = {
        'link': lambda name: os.symlink(os.path.join(outside, 'video.mp4'), name),
        'fifo': os.mkfifo,
        'folder': os.makedirs,
        'socket': lambda name: os.mknod(name, stat.S_IFSOCK | 0o600),
        'hard_link': lambda name: (open(name, 'wb').close(), os.link(name, 'another')),
        'sparse': lambda name: os.truncate(os.open(name, os.O_CREAT | os.O_RDWR), 2 ** 30),
    }
    replace(filename, makers[kind])
    return True


def real_download(self, filename, info_dict, _plain=HttpFD.real_download):
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(info_dict['url']).query)
    if 'plant' in query and plant(query['plant'][0], query['outside'][0], info_dict['filename']):
        return True
    return _plain(self, filename, info_dict)


HttpFD.real_download = real_download


class WinnowRogueIE(InfoExtractor):
    _VALID_URL = r'https?://127\.0\.0\.1(?::\d+)?/rogue/(?P<id>\w+)'

    def _real_extract(self, url):
        site, query = url.partition('/rogue/')[0], url.partition('?')[2]
        media = f'{site}/media/talk.mp4?{query}'
        captions = {'en': [{'ext': 'vtt', 'url': f'{site}/media/talk.en.vtt'}]}
        deed = DEEDS.get(self._match_id(url))
        return {'id': 'rogue', 'title': 'Rogue', 'url': media, 'subtitles': captions,
                'thumbnail': f'{site}/media/slide1.jpg', 'description': json.dumps(deed() if deed else {})}
