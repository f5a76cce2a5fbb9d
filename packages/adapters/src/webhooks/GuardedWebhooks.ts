/**
 * Webhook deliveries through the egress guard: its webhook profile, vetted addresses and error messages.
 *
 * Every delivery vets the address again and opens its own connection, which is closed afterwards: nothing from an
 * earlier delivery, neither address nor certificate nor TLS session, is reused. Before you change a limit:
 * bench/webhooks.ts.
 */
import { normalWebhookUrl } from "@winnow/core/domain/webhook/WebhookEndpoint";
import { cleanText } from "@winnow/core/domain/text/CleanText";
import {
  WebhookNotSent,
  WebhookTransport,
  WebhookUrlRefused,
  type WebhookAnswer,
  type WebhookPost
} from "@winnow/core/ports/WebhookTransport";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { type buildConnector, Client } from "undici";
import { toEgressFailed, Unresolvable } from "@winnow/isolation/network/guard/EgressFailed";
import {
  recordRefusal,
  EgressRefused,
  refusalSentence,
  type RefusalReason
} from "@winnow/isolation/network/guard/EgressRefused";
import {
  makeRoute,
  vettedAddresses,
  type EgressRoute,
  type RouteSettings
} from "@winnow/isolation/network/guard/EgressRoute";
import { makeConnector } from "@winnow/isolation/network/guard/PinnedAgent";
import { targetOf } from "@winnow/isolation/network/guard/Target";

/** Maximum headers of a response; receivers send a handful. */
const HEADERS_MAX_BYTES = 16_384;

const REFUSED_AS: Readonly<Record<RefusalReason, WebhookUrlRefused["reason"]>> = {
  invalid_url: "invalid_url",
  credentials: "invalid_url",
  port: "invalid_url",
  scheme: "not_https",
  host_name: "host_not_public",
  address: "host_not_public",
  unresolvable: "unresolvable"
};

const SENTENCES: Readonly<Partial<Record<RefusalReason, string>>> = {
  scheme: "It must be https.",
  port: "It uses a port that is not allowed: 443 and 8443 are."
};

const refused = (reason: RefusalReason): WebhookUrlRefused =>
  new WebhookUrlRefused({
    reason: REFUSED_AS[reason],
    message: SENTENCES[reason] ?? `It ${refusalSentence(reason)}.`
  });

const vet = async (route: EgressRoute, url: string): Promise<string> => {
  const target = targetOf(url, route.profile);
  await vettedAddresses(route, target.host, target.port);
  return normalWebhookUrl(target.url);
};

/** Without half characters at the cut, and without NUL, which PostgreSQL text cannot store. */
const startOf = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> => {
  const chunks: Array<Uint8Array> = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  const decoder = new TextDecoder();
  const bytes = Buffer.concat(chunks).subarray(0, maxBytes);
  return cleanText(decoder.decode(bytes, { stream: size >= maxBytes }).replaceAll("\0", "\uFFFD"));
};

const send = async (
  route: EgressRoute,
  connect: buildConnector.connector,
  post: WebhookPost,
  signal: AbortSignal
): Promise<WebhookAnswer> => {
  const { url } = targetOf(post.url, route.profile);
  const client = new Client(url.origin, {
    connect,
    maxHeaderSize: HEADERS_MAX_BYTES,
    allowH2: false,
    // The caller's total time limit applies to both.
    headersTimeout: 0,
    bodyTimeout: 0
  });
  const close = () => void client.destroy().catch(() => {});
  signal.addEventListener("abort", close, { once: true });
  try {
    const response = await client.request({
      method: "POST",
      path: `${url.pathname}${url.search}`,
      headers: { ...post.headers, "content-type": "application/json" },
      body: post.body,
      reset: true
    });
    return { status: response.statusCode, body: await startOf(response.body, post.answerMaxBytes) };
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
};

const make = Effect.fnUntraced(function* (settings: RouteSettings) {
  const route = yield* makeRoute(settings, "webhook");
  const connect = makeConnector(route, 0);
  return WebhookTransport.of({
    vet: Effect.fn("WebhookTransport.vet")((url: string) =>
      Effect.tryPromise({
        try: () => vet(route, url),
        catch: (error) => {
          if (error instanceof EgressRefused || error instanceof Unresolvable) return error;
          throw error;
        }
      }).pipe(
        Effect.tapError((error) => (error instanceof EgressRefused ? recordRefusal(error) : Effect.void)),
        Effect.mapError((error) => refused(error instanceof EgressRefused ? error.reason : "unresolvable"))
      )
    ),
    post: Effect.fn("WebhookTransport.post")((post: WebhookPost) =>
      Effect.tryPromise({
        try: (signal) => send(route, connect, post, signal),
        catch: (error) => error
      }).pipe(
        Effect.tapError((error) => (error instanceof EgressRefused ? recordRefusal(error) : Effect.void)),
        Effect.mapError((error) =>
          error instanceof EgressRefused
            ? refused(error.reason)
            : new WebhookNotSent({ message: toEgressFailed(error, 0).message })
        )
      )
    )
  });
});

/** Fails with `InvalidEgressSetting` for invalid settings. */
export const layer = (settings: RouteSettings) => Layer.effect(WebhookTransport, make(settings));
