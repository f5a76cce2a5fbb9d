/**
 * What holds for every endpoint: the description of the OpenAPI document, and the introduction of /docs.
 * Markdown: paragraphs, `##` headings, `code` and nothing else.
 */
export const INTRODUCTION = `Winnow turns a public URL (a video, a photo post, an article) into metadata, downloadable artifacts and, with a JSON Schema, a validated structured object. Each run is priced beforehand, debited once, and refunded to the credit.

## Using it

Get the price with \`POST /v1/probe\`, submit the same body to \`POST /v1/extractions\`, poll \`GET /v1/extractions/{id}/result\` until it returns 200, and download the files it lists.

Instead of polling, you can register a webhook endpoint with \`POST /v1/webhook-endpoints\`. When an extraction ends, Winnow sends it a signed POST request with the body \`{ "event", "data" }\`.

## Authentication

Send an API key as \`x-api-key: KEY\` or as \`Authorization: Bearer KEY\`. If you send both, they must be the same key. A missing, unknown or revoked key returns 401.

In a browser, the cookie of a web session works for every endpoint of the account: \`POST /admin/v1/accounts/{id}/sign-in-links\` creates a one-time link that starts a session of 30 days. To prevent cross-site request forgery, a request that is authenticated by the cookie alone and is not GET or HEAD must carry \`Sec-Fetch-Site: same-origin\` or this server's own \`Origin\`, and no other value of either header; otherwise it returns 401. API keys can only be managed with a web session, never with an API key.

## Errors

Every error response is \`{ "error": { "code", "message", "details"? } }\`. Codes are stable; messages are for people and may change. An unknown path returns 404 \`not_found\`. An unsupported method on a known path returns 405 \`invalid_request\`, with the supported methods in its \`Allow\` header. Every response has an \`X-Request-Id\`: the one you sent, or a new one.

## Rate limits

Requests are counted per account and endpoint in windows of one minute: 6 submits, 10 probes, 60 reads of status and result together, 60 requests to each other endpoint. The headers \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` report the current window, and so do \`RateLimit\` and \`RateLimit-Policy\`. After a 429, wait for the number of seconds in \`Retry-After\`.

## Retrying

Send an \`Idempotency-Key\` with every submit. The same key and body never create or charge a second extraction: they return 200 with \`Idempotent-Replayed: true\`. Without a key, a retry is charged again.`;
