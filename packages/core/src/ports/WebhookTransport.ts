/**
 * Carries one webhook delivery to its receiver.
 *
 * https only, to an address that was vetted for this very connection, with the TLS name of the host; no
 * redirect is followed. Messages reveal no internal address.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";

/** The receiver may not be reached: it is not https, or not public. */
export class WebhookUrlRefused extends Schema.TaggedError<WebhookUrlRefused>()("WebhookUrlRefused", {
  reason: Schema.Literals(["invalid_url", "not_https", "host_not_public", "unresolvable"]),
  message: Schema.String
}) {}

/** No answer: in words what happened (name not found, refused, reset, certificate). */
export class WebhookNotSent extends Schema.TaggedError<WebhookNotSent>()("WebhookNotSent", {
  message: Schema.String
}) {}

export interface WebhookPost {
  readonly url: string;
  /** As they go on the wire; content-type and length are the transport's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Bytes of the answer that are read; the connection is closed after them. */
  readonly answerMaxBytes: number;
}

export interface WebhookAnswer {
  readonly status: number;
  /** The beginning of the answer as text, cleaned (domain/CleanText); bytes that are no UTF-8 are replaced. */
  readonly body: string;
}

export class WebhookTransport extends Context.Service<
  WebhookTransport,
  {
    /** Resolves and vets the host, without a connection. Answers the normalised URL. */
    readonly vet: (url: string) => Effect.Effect<string, WebhookUrlRefused>;

    /** Any status is an answer. Sets no limit of time: the engine interrupts, and that closes the connection. */
    readonly post: (request: WebhookPost) => Effect.Effect<WebhookAnswer, WebhookUrlRefused | WebhookNotSent>;
  }
>()("@winnow/core/ports/WebhookTransport") {}
