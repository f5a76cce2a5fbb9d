/** Webhook receivers without connections, and the requests they received. */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import {
  WebhookTransport,
  WebhookUrlRefused,
  type WebhookAnswer,
  type WebhookNotSent,
  type WebhookPost
} from "@winnow/core/ports/WebhookTransport";

/** A request as received. */
export interface Received extends WebhookPost {
  readonly atMs: number;
  readonly text: string;
}

export type FakeReceiver = (
  request: Received
) => Effect.Effect<WebhookAnswer, WebhookUrlRefused | WebhookNotSent>;

export const acknowledges: FakeReceiver = () => Effect.succeed({ status: 204, body: "" });
export const answers =
  (status: number, body = ""): FakeReceiver =>
  () =>
    Effect.succeed({ status, body });

/** All requests to the receivers of a test, in order of arrival. */
export class Inbox extends Context.Service<
  Inbox,
  {
    readonly received: () => ReadonlyArray<Received>;
    /** Sets how a host responds from now on; by default it acknowledges. */
    readonly answer: (host: string, receiver: FakeReceiver) => void;
  }
>()("@winnow/testing/FakeWebhookTransport/Inbox") {}

const PRIVATE = /^(?:localhost|127\.|10\.|192\.168\.|169\.254\.|\[)/u;

const vet = (input: string): Effect.Effect<string, WebhookUrlRefused> => {
  const refuse = (reason: WebhookUrlRefused["reason"], message: string) =>
    Effect.fail(new WebhookUrlRefused({ reason, message }));
  const url = URL.parse(input);
  if (url === null) return refuse("invalid_url", "The webhook URL is not a valid URL.");
  if (url.protocol !== "https:") return refuse("not_https", "The webhook URL must be https.");
  if (url.username !== "" || url.password !== "")
    return refuse("invalid_url", "The webhook URL contains a user name or a password.");
  if (url.hostname.endsWith(".invalid"))
    return refuse("unresolvable", "The webhook URL has a host without an address.");
  return PRIVATE.test(url.hostname)
    ? refuse("host_not_public", "The webhook URL has a host that is not public.")
    : Effect.succeed(url.href);
};

/** Hosts with private addresses are refused; names ending in `.invalid` do not resolve. */
export const layer: Layer.Layer<WebhookTransport | Inbox> = Layer.effectContext(
  Effect.sync(() => {
    const received: Array<Received> = [];
    const receivers = new Map<string, FakeReceiver>();
    const post = Effect.fnUntraced(function* (request: WebhookPost) {
      const url = yield* vet(request.url);
      const arrived: Received = {
        ...request,
        atMs: yield* Clock.currentTimeMillis,
        text: new TextDecoder().decode(request.body)
      };
      received.push(arrived);
      const answer = yield* (receivers.get(new URL(url).host) ?? acknowledges)(arrived);
      const read = new TextEncoder().encode(answer.body).subarray(0, request.answerMaxBytes);
      return { ...answer, body: cleanText(new TextDecoder().decode(read)) };
    });
    return Context.make(WebhookTransport, WebhookTransport.of({ vet, post })).pipe(
      Context.add(
        Inbox,
        Inbox.of({
          received: () => [...received],
          answer: (host, receiver) => void receivers.set(host, receiver)
        })
      )
    );
  })
);
