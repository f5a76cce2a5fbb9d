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


class WinnowRogueIE(InfoExtractor):
    _VALID_URL = r'https?://127\.0\.0\.1(?::\d+)?/rogue/(?P<id>\w+)'

    def _real_extract(self, url):
        results = DEEDS[self._match_id(url)]()
        media = url.partition('/rogue/')[0] + '/media/talk.mp4'
        return {'id': 'rogue', 'title': 'Rogue', 'url': media, 'description': json.dumps(results)}
