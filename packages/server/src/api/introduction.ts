/**
 * What holds for every endpoint, in words: the description of the OpenAPI document, and the head of /docs.
 * Markdown: paragraphs, `##` headings, `code` and nothing else.
 */
export const INTRODUCTION = `A public URL in (video, photo post, article); metadata, downloadable artifacts and, with a JSON Schema, a checked structured object out. Priced before, debited once, refunded to the credit.

## Using it

Ask for the price with \`POST /v1/probe\`, submit the same body to \`POST /v1/extractions\`, ask \`GET /v1/extractions/{id}/result\` until it answers 200, and fetch the files it names.

Instead of asking, be told: register a receiver with \`POST /v1/webhook-endpoints\`, and every extraction that ends is posted to it as \`{ "event", "data" }\`, signed.

## Authentication

Send an API key as \`x-api-key: KEY\` or as \`Authorization: Bearer KEY\`; both with different keys are refused. A missing, unknown or revoked key is 401.

In a browser the cookie of a web session does instead, for every endpoint of the account: \`POST /admin/v1/accounts/{id}/sign-in-links\` makes a link that signs in once, for 30 days. With the cookie alone, only pages of this server may ask for what changes something: a request that is no GET or HEAD and has neither \`Sec-Fetch-Site: same-origin\` nor this server's own \`Origin\`, or another one, is 401. API keys are managed with a web session and never with a key.

## Errors

Whatever is not a success is \`{ "error": { "code", "message", "details"? } }\`. Codes are stable, messages are for people. A path that is not listed here is 404 \`not_found\`; another method at a listed path is 405 \`invalid_request\`, its \`Allow\` header names the methods there are. Every answer has an \`X-Request-Id\`: the one you sent, or a new one.

## Rate limits

Requests are counted per account and endpoint in windows of one minute: 6 submits, 10 probes, 60 reads of status and result together, 60 of every other endpoint. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` tell where you stand, and so do \`RateLimit\` and \`RateLimit-Policy\`. After a 429 wait as many seconds as \`Retry-After\` says.

## Retrying

Send an \`Idempotency-Key\` with every submit: the same key and body never make or charge a second extraction, they answer 200 with \`Idempotent-Replayed: true\`. Without one, a retry is charged again.`;
