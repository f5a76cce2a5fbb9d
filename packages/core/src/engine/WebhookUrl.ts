/**
 * Vets a receiver's URL where a caller names one: at registration and at submit. Every send vets it again.
 */
import * as Effect from "effect/Effect";
import { InvalidRequest } from "../domain/Refusal.ts";
import { URL_CHARS_MAX } from "../domain/SourceUrl.ts";
import { WebhookTransport, WebhookUrlRefused } from "../ports/WebhookTransport.ts";

/** A name that takes longer to resolve would not let a delivery arrive in its 10 s either. */
const VET_TIMEOUT_MS = 10_000;

const tooSlow = new WebhookUrlRefused({
  reason: "unresolvable",
  message: "Resolving the host of the webhook URL timed out."
});

const tooLong = new WebhookUrlRefused({
  reason: "invalid_url",
  message: `The webhook URL is longer than ${URL_CHARS_MAX} characters in its encoded form.`
});

const isTooLong = (url: string): boolean => url.length > URL_CHARS_MAX;

/** The normalised URL. @fails InvalidRequest {param, reason} */
export const vetWebhookUrl = Effect.fn("WebhookUrl.vet")(function* (
  param: "url" | "webhookUrl",
  url: string
): Effect.fn.Return<string, InvalidRequest, WebhookTransport> {
  const { vet } = yield* WebhookTransport;
  const vetted = isTooLong(url) ? Effect.fail(tooLong) : vet(url);
  return yield* vetted.pipe(
    // Letters beyond ASCII are sent as up to nine characters each; stores index what is sent.
    Effect.filterOrFail(
      (normalized) => !isTooLong(normalized),
      () => tooLong
    ),
    Effect.timeoutOrElse({ duration: VET_TIMEOUT_MS, orElse: () => Effect.fail(tooSlow) }),
    Effect.mapError(
      ({ reason, message }) =>
        new InvalidRequest({ message: `\`${param}\`: ${message}`, details: { param, reason } })
    )
  );
});
