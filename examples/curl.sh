#!/bin/sh
# Submit, wait and download with only curl and a shell.
#
#   WINNOW_API_KEY=… sh examples/curl.sh https://example.com/ [FOLDER]
set -eu

url=${1:?give a URL}
folder=${2:-files}
server=${WINNOW_URL:-http://127.0.0.1:8787}

# The key is passed on standard input, so that it does not appear in process lists.
call() { printf 'header = "x-api-key: %s"\n' "$WINNOW_API_KEY" | curl --silent --show-error --config - "$@"; }

body="{\"url\": \"$(printf %s "$url" | sed 's/[\\"]/\\&/g')\"}"

# A submit repeated with the same key is never charged twice.
answer=$(call --fail-with-body --retry 2 -H "idempotency-key: $(date +%s)-$$" \
  -H 'content-type: application/json' -d "$body" "$server/v1/extractions") || {
  printf '%s\n' "$answer" >&2
  exit 1
}
id=$(printf %s "$answer" | sed 's/.*"id":"\([^"]*\)".*/\1/')
echo "submitted $id"

# 202 while it runs, 200 when it has ended. The limit is 60 reads a minute.
result=$(mktemp)
trap 'rm -f "$result"' EXIT
while [ "$(call -o "$result" -w '%{http_code}' "$server/v1/extractions/$id/result")" = 202 ]; do sleep 2; done

if ! grep -q '"status":"complete"' "$result"; then
  cat "$result" >&2
  exit 1
fi

mkdir -p "$folder"
grep -o "/v1/extractions/$id/files/[^\"/]*" "$result" | sed 's|.*/||' | sort -u | while read -r name; do
  call --fail --output "$folder/$name" "$server/v1/extractions/$id/files/$name"
  echo "$folder/$name"
done
