/** Vets a receiver's URL when a caller names it: at registration and at submit. Every delivery vets it again. Tests: Webhooks.test.ts. */
import * as Effect from "effect/Effect";
import { InvalidRequest } from "../../domain/request/Refusal.ts";
import { URL_CHARS_MAX } from "../../domain/url/UrlLength.ts";
import { WebhookTransport, WebhookUrlRefused } from "../../ports/WebhookTransport.ts";
import { ACKNOWLEDGE_TIMEOUT_MS } from "./WebhookAttempt.ts";

const tooSlow = new WebhookUrlRefused({
  reason: "unresolvable",
  message: "Resolving the host of the webhook URL timed out."
});

const tooLong = new WebhookUrlRefused({
  reason: "invalid_url",
  message: `The webhook URL is longer than ${URL_CHARS_MAX} characters in its encoded form.`
});

const isTooLong = (url: string): boolean => url.length > URL_CHARS_MAX;

/** Returns the normalised URL. @fails InvalidRequest {param, reason} */
export const vetWebhookUrl = Effect.fn("WebhookUrl.vet")(function* (
  param: "url" | "webhookUrl",
  url: string
): Effect.fn.Return<string, InvalidRequest, WebhookTransport> {
  const { vet } = yield* WebhookTransport;
  const checkedUrl = isTooLong(url) ? Effect.fail(tooLong) : vet(url);
  return yield* checkedUrl.pipe(
    // Non-ASCII letters take up to nine characters each when encoded; stores index the encoded URL.
    Effect.filterOrFail(
      (normalized) => !isTooLong(normalized),
      () => tooLong
    ),
    // A name that resolves more slowly would also exceed the limit of a delivery.
    Effect.timeoutOrElse({ duration: ACKNOWLEDGE_TIMEOUT_MS, orElse: () => Effect.fail(tooSlow) }),
    Effect.mapError(
      ({ reason, message }) =>
        new InvalidRequest({ message: `\`${param}\`: ${message}`, details: { param, reason } })
    )
  );
});
