/**
 * Sends one webhook delivery to its receiver.
 *
 * https only, to an address that was checked for this connection, with the TLS name of the host; redirects are
 * not followed. Messages reveal no internal addresses.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";

/** The receiver is not allowed: it is not https, or not public. */
export class WebhookUrlRefused extends Schema.TaggedError<WebhookUrlRefused>()("WebhookUrlRefused", {
  reason: Schema.Literals(["invalid_url", "not_https", "host_not_public", "unresolvable"]),
  message: Schema.String
}) {}

/** No response, with the reason in plain English (name not found, refused, reset, certificate). */
export class WebhookNotSent extends Schema.TaggedError<WebhookNotSent>()("WebhookNotSent", {
  message: Schema.String
}) {}

export interface WebhookPost {
  readonly url: string;
  /** Headers on the wire; the transport adds content-type and length. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Maximum bytes of the response that are read; then the connection is closed. */
  readonly answerMaxBytes: number;
}

export interface WebhookAnswer {
  readonly status: number;
  /** The beginning of the response as text, cleaned (domain/text/CleanText); invalid UTF-8 is replaced. */
  readonly body: string;
}

export class WebhookTransport extends Context.Service<
  WebhookTransport,
  {
    /** Resolves and checks the host without connecting. Returns the normalised URL. */
    readonly vet: (url: string) => Effect.Effect<string, WebhookUrlRefused>;

    /** Any status is a response. Has no time limit: the engine interrupts it, which closes the connection. */
    readonly post: (request: WebhookPost) => Effect.Effect<WebhookAnswer, WebhookUrlRefused | WebhookNotSent>;
  }
>()("@winnow/core/ports/WebhookTransport") {}
