/**
 * What every implementation of WebhookTransport promises, to receivers that the caller opens.
 * Run by FakeWebhookTransport.test.ts, GuardedWebhooks.suite.test.ts.
 */
import { assert, layer as withLayer } from "@effect/vitest";
import { WebhookTransport, type WebhookPost } from "@winnow/core/ports/WebhookTransport";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";

export interface Arrived {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>;
  readonly body: string;
}

export interface SuiteReceiver {
  /** Allowed, https, and without a trailing slash. */
  readonly url: string;
  readonly arrived: () => ReadonlyArray<Arrived>;
}

/** A receiver that gives every request this answer, a redirect with a `location` of its own; null gives none. */
export type OpenReceiver<R> = (
  answer: { readonly status: number; readonly body: string } | null
) => Effect.Effect<SuiteReceiver, never, R | Scope.Scope>;

const REFUSED = [
  ["not a URL", "invalid_url"],
  ["https://user:secret@hooks.example/", "invalid_url"],
  ["http://hooks.example/", "not_https"],
  ["https://10.0.0.1/", "host_not_public"],
  ["https://localhost/", "host_not_public"]
] as const;

const requestTo = (url: string, more: Partial<WebhookPost> = {}): WebhookPost => ({
  url,
  headers: { "x-service-event": "test" },
  body: new TextEncoder().encode('{"event":"test","ü":1}'),
  answerMaxBytes: 1_024,
  ...more
});

const post = (request: WebhookPost) => WebhookTransport.use((transport) => transport.post(request));

export const suite = <R, E>(
  name: string,
  layer: Layer.Layer<WebhookTransport | R, E>,
  openReceiver: OpenReceiver<R>,
  /** Https, with a host that has no address. */
  unresolvable: string
): void => {
  withLayer(layer, { excludeTestServices: true })(`WebhookTransport: ${name}`, (it) => {
    it.effect("a receiver's URL is vetted to its normal form, and nothing is sent", () =>
      Effect.gen(function* () {
        const { vet } = yield* WebhookTransport;
        const { url, arrived } = yield* openReceiver({ status: 204, body: "" });
        assert.strictEqual(yield* vet(url.toUpperCase().replace("HTTPS", "https")), `${url}/`);
        assert.isEmpty(arrived());
      }).pipe(Effect.scoped)
    );

    it.effect.each(REFUSED)("%s is refused as %s, when vetted and when sent", ([url, reason]) =>
      Effect.gen(function* () {
        const { vet } = yield* WebhookTransport;
        for (const refused of [Effect.flip(vet(url)), Effect.flip(post(requestTo(url)))]) {
          const error = yield* refused;
          assert.deepInclude(error, { _tag: "WebhookUrlRefused", reason });
          assert.match(error.message, /^[A-Z].*\.$/u);
          assert.notInclude(error.message, "10.0.0.1");
        }
      })
    );

    it.effect("a host without an address is refused when vetted, and nothing is sent to it", () =>
      Effect.gen(function* () {
        const { vet } = yield* WebhookTransport;
        assert.strictEqual((yield* Effect.flip(vet(unresolvable))).reason, "unresolvable");
        assert.match((yield* Effect.flip(post(requestTo(unresolvable)))).message, /^[A-Z].*\.$/u);
      })
    );

    it.effect("a delivery arrives once, with its headers and the bytes of its body", () =>
      Effect.gen(function* () {
        const { url, arrived } = yield* openReceiver({ status: 201, body: "thank you" });
        assert.deepStrictEqual(yield* post(requestTo(`${url}/hook`)), { status: 201, body: "thank you" });
        const [only, ...others] = arrived();
        assert.isEmpty(others);
        assert.strictEqual(only?.body, '{"event":"test","ü":1}');
        assert.strictEqual(only?.headers["x-service-event"], "test");
      }).pipe(Effect.scoped)
    );

    it.effect.each([200, 302, 307, 410, 500])("a status of %i is a response, and is not followed", (status) =>
      Effect.gen(function* () {
        const { url, arrived } = yield* openReceiver({ status, body: "here" });
        assert.deepStrictEqual(yield* post(requestTo(`${url}/`)), { status, body: "here" });
        assert.lengthOf(arrived(), 1);
      }).pipe(Effect.scoped)
    );

    it.effect("an answer is read up to its limit, as clean text", () =>
      Effect.gen(function* () {
        const { url } = yield* openReceiver({ status: 200, body: `a\u0000b${"x".repeat(5_000)}` });
        const { body } = yield* post(requestTo(`${url}/`, { answerMaxBytes: 100 }));
        assert.isAtMost(new TextEncoder().encode(body).length, 103);
        assert.match(body, /^a\P{Cc}?bx+$/u);
      }).pipe(Effect.scoped)
    );

    it.effect("no answer is a failure with one sentence that names nothing internal", () =>
      Effect.gen(function* () {
        const { url } = yield* openReceiver(null);
        const error = yield* Effect.flip(post(requestTo(`${url}/`)));
        assert.strictEqual(error._tag, "WebhookNotSent");
        assert.match(error.message, /^[A-Z].*\.$/u);
        assert.notMatch(error.message, /127\.|localhost|ECONN/u);
      }).pipe(Effect.scoped)
    );
  });
};
