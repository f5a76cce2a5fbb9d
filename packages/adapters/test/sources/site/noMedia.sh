#!/bin/sh
# A yt-dlp that finds no media on any page, for tests of what only pages are needed for.
case "$*" in
--version) echo 2099.01.01 ;;
*) echo "ERROR: [generic] Unsupported URL" >&2 && exit 1 ;;
esac
