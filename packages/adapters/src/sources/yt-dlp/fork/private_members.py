"""What the fork server uses of yt-dlp besides its options: members that any release may rename or drop.
Tests: forkServer.test.ts."""
import yt_dlp
import yt_dlp.downloader.external
import yt_dlp.globals
import yt_dlp.networking.common
import yt_dlp.plugins
from yt_dlp.extractor.common import InfoExtractor
from yt_dlp.postprocessor import FFmpegPostProcessor

MEMBERS = {  # by owner; of YoutubeDL and InfoExtractor also what an instance has
    'yt_dlp': 'parse_options version',
    'YoutubeDL': '_ies _ies_instances params cookiejar urlopen extract_info post_extract sanitize_info raise_no_formats '
                 'add_progress_hook download_with_info_file',
    'InfoExtractor': '_downloader _VALID_URL _EMBED_REGEX _get_comments _match_valid_url _extract_from_webpage '
                     '_extract_embed_urls IE_NAME extract_comments extract_subtitles extract_automatic_captions '
                     'extract_from_webpage set_downloader suitable',
    'ExternalFD': 'real_download available',
    'FFmpegFD': 'real_download available',
    'FFmpegPostProcessor': 'get_versions',
    'networking.common': 'Request Response make_ssl_context',
    'utils': 'DownloadError UserNotLive',
    'globals': 'plugin_dirs',
    'plugins': 'load_all_plugins',
}


def owners():
    external = yt_dlp.downloader.external
    return {
        'yt_dlp': yt_dlp,
        'YoutubeDL': yt_dlp.YoutubeDL({'quiet': True}, auto_init=False),
        'InfoExtractor': InfoExtractor(),
        'ExternalFD': getattr(external, 'ExternalFD', None),
        'FFmpegFD': getattr(external, 'FFmpegFD', None),
        'FFmpegPostProcessor': FFmpegPostProcessor,
        'networking.common': yt_dlp.networking.common,
        'utils': yt_dlp.utils,
        'globals': yt_dlp.globals,
        'plugins': yt_dlp.plugins,
    }


def missing():
    """Names of the members that this yt-dlp lacks; without the fork server, the command is used."""
    return [f'{name}.{member}' for name, owner in owners().items() for member in MEMBERS[name].split()
            if not hasattr(owner, member)]
