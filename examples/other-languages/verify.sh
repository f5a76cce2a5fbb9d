#!/bin/sh
# Verifies the signature of a webhook with a shell and openssl.
#
#   WINNOW_WEBHOOK_SECRET=… sh examples/other-languages/verify.sh SIGNATURE < body
set -eu

signature=${1:?give the header X-Service-Signature}
tolerance_seconds=300

field() { printf %s "$signature" | tr , '\n' | sed -n "s/^$1=//p"; }

time=$(field t)
case $time in '' | *[!0-9]*) exit 1 ;; esac
age=$(($(date +%s) - time))
[ "${age#-}" -le "$tolerance_seconds" ] || exit 1

# Not compared in constant time: for manual checks, not for a server.
expected=$({ printf %s. "$time"; cat; } | openssl dgst -sha256 -hmac "$WINNOW_WEBHOOK_SECRET" | sed 's/.*= *//')
field v1 | grep -qx "$expected"
