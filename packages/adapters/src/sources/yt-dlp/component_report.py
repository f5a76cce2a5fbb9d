"""Prints the components of yt-dlp as JSON, for `winnow doctor`. Arguments: an import path or '', then the options of every
run. `solver` is what keeps a small script of the shape of YouTube's from being solved: '' if nothing does, null if this
yt-dlp knows no such scripts.
"""
import json
import os
import sys

import_path, argv = sys.argv[1], sys.argv[2:]
if import_path:
    sys.path.insert(0, import_path)

import yt_dlp
from yt_dlp.globals import plugin_dirs
from yt_dlp.plugins import load_all_plugins

PLAYER = """var _player = {};
(function(g) {
  var window = this;
  class Address {
    constructor() { this.values = new Map(); }
    set(key, value) { this.values.set(key, value); }
    get(key) { return this.values.get(key); }
    clone() { return this; }
    turn() { for (const [key, value] of this.values) this.values.set(key, [...value].reverse().join("")); }
  }
  var open = function(url, key, signature) {
    const address = new Address();
    address.set("alr", "yes");
    if (signature) address.set(key, decodeURIComponent(signature));
    return address;
  };
})(_player);
"""
CHALLENGE, SOLUTION = 'abcdef', 'fedcba'
PLAYER_URL = 'https://www.youtube.com/s/player/00000000/player_ias.vflset/en_US/base.js'


class Messages:
    """A logger that keeps what yt-dlp says went wrong."""

    def __init__(self):
        self.lines = []

    def debug(self, message):
        pass

    info = debug

    def error(self, message):
        self.lines.append(' '.join(str(message).split()))

    warning = error


def version_of(name):
    try:
        module = __import__(name)
    except Exception:
        return None
    try:
        from importlib.metadata import version
        return version(name)
    except Exception:
        return str(getattr(module, '__version__', None) or getattr(module, 'version', None) or 'found')


def token_providers():
    try:
        import yt_dlp.extractor.youtube
        from yt_dlp.extractor.youtube.pot._registry import _pot_providers
        return sorted(getattr(each, 'PROVIDER_NAME', name) for name, each in _pot_providers.value.items())
    except Exception:
        return []


def impersonation_targets(ydl):
    try:
        return sorted({str(target) for target, _ in ydl._get_available_impersonate_targets()})
    except Exception:
        return []


def solver_problem(ydl, messages):
    try:
        from yt_dlp.extractor.youtube.jsc._director import initialize_jsc_director
        from yt_dlp.extractor.youtube.jsc.provider import JsChallengeRequest, JsChallengeType, NChallengeInput
    except ImportError:
        return None
    messages.lines.clear()  # of the start
    try:
        youtube = ydl.get_info_extractor('Youtube')
        youtube._load_player = lambda *args, **kwargs: PLAYER
        request = JsChallengeRequest(JsChallengeType.N, NChallengeInput(PLAYER_URL, [CHALLENGE]), 'winnow')
        solved = initialize_jsc_director(youtube).bulk_solve([request])
        if [response.output.results.get(CHALLENGE) for _, response in solved] == [SOLUTION]:
            return ''
    except Exception as error:
        messages.error(f'{type(error).__name__}: {error}')
    return ' '.join(messages.lines)[:500] or 'no JavaScript runtime or no script solver'


parsed = yt_dlp.parse_options(argv)
plugin_dirs.value = getattr(parsed.options, 'plugin_dirs', []) or []
if plugin_dirs.value:
    load_all_plugins()
log = Messages()
with yt_dlp.YoutubeDL({**parsed.ydl_opts, 'logger': log, 'quiet': True, 'no_warnings': False}) as downloader:
    print(json.dumps({
        'path': os.path.dirname(yt_dlp.__file__),
        'ejs': version_of('yt_dlp_ejs'),
        'curl_cffi': version_of('curl_cffi'),
        'targets': impersonation_targets(downloader),
        'providers': token_providers(),
        'solver': solver_problem(downloader, log),
    }))
