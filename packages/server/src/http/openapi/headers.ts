/** Headers of responses that the OpenAPI document describes once. */

const integer = (description: string) => ({
  description,
  schema: { type: "integer", minimum: 0 },
  required: true
});
const text = (description: string, example: string, schema: object = {}) => ({
  description,
  schema: { type: "string", ...schema },
  required: true,
  example
});

/** By their names on the wire. */
export const HEADERS = {
  "X-Request-Id": text("Id of the request: the one you sent, or a new one.", "req_42"),
  "WWW-Authenticate": text("How to send a key (RFC 6750); `x-api-key` works too.", "Bearer", {
    const: "Bearer"
  }),
  "X-RateLimit-Limit": integer("Requests allowed per window of one minute."),
  "X-RateLimit-Remaining": integer("Requests left in this window."),
  "X-RateLimit-Reset": integer("Unix time in seconds when the window ends."),
  RateLimit: text(
    "What remains: `r` requests, for the next `t` seconds (draft-ietf-httpapi-ratelimit-headers).",
    '"submit";r=5;t=30',
    { pattern: '^"[^"]+";r=\\d+;t=\\d+$' }
  ),
  "RateLimit-Policy": text("The limit: `q` requests per `w` seconds.", '"submit";q=6;w=60', {
    pattern: '^"[^"]+";q=\\d+;w=60$'
  }),
  "Retry-After": integer("Seconds to wait."),
  ETag: text("A strong validator; a file never changes.", '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'),
  "Accept-Ranges": text("Byte ranges are supported.", "bytes", { const: "bytes" }),
  "Cache-Control": text(
    "Files: cached by the client only, and revalidated each time. Event streams: neither cached nor " +
      "transformed.",
    "private, no-cache"
  ),
  "X-Accel-Buffering": text("Tells a proxy not to buffer the events.", "no", {
    const: "no"
  }),
  "Content-Range": text("The byte range sent and the total size.", "bytes 0-99/1048576"),
  "Content-Disposition": text(
    "`attachment` for types that a browser might execute.",
    'inline; filename="video.mp4"'
  ),
  "Content-Security-Policy": {
    ...text("Sandboxes artifacts of types that a browser might execute.", "default-src 'none'; sandbox"),
    required: false
  },
  "X-Content-Type-Options": text("Prevents MIME sniffing.", "nosniff", { const: "nosniff" })
};
export type HeaderName = keyof typeof HEADERS;

/** On every response to a counted request, whatever its status; on a 401 there are none. */
export const RATE_LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy"
] as const;

/** References to these headers. */
export const headers = (...names: ReadonlyArray<HeaderName>): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
