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
  message: "The host of the webhook URL was not resolved in time."
});

const tooLong = new WebhookUrlRefused({
  reason: "invalid_url",
  message: `The webhook URL is longer than ${URL_CHARS_MAX} characters.`
});

/** The normalised URL. @fails InvalidRequest {param, reason} */
export const vetWebhookUrl = Effect.fn("WebhookUrl.vet")(function* (
  param: "url" | "webhookUrl",
  url: string
): Effect.fn.Return<string, InvalidRequest, WebhookTransport> {
  const { vet } = yield* WebhookTransport;
  const vetted = url.length > URL_CHARS_MAX ? Effect.fail(tooLong) : vet(url);
  return yield* vetted.pipe(
    Effect.timeoutOrElse({ duration: VET_TIMEOUT_MS, orElse: () => Effect.fail(tooSlow) }),
    Effect.mapError(({ reason, message }) => new InvalidRequest({ message, details: { param, reason } }))
  );
});
