/** Bodies of responses that are made of what the engine returns: their fields, in their order, to the byte. */
import { readFileSync } from "node:fs";
import { assert, layer } from "@effect/vitest";
import { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { RouteReport } from "@winnow/adapters/sources/ways/RouteReport";
import { SourceRoutes } from "../../src/SourceRoutes.ts";
import type { CallOptions } from "../ApiCall.ts";
import { SAME_ORIGIN, signedIn } from "../SignedIn.ts";
import { ADMIN_TOKEN, PRIVATE, type TestAccount, TestApp, unlimited, VIDEO } from "../TestApp.ts";

const EXPECTED = readFileSync(new URL("bodies.txt", import.meta.url), "utf8");

const failing = Layer.succeed(
  WebhookTransport,
  WebhookTransport.of({
    vet: (url) => Effect.succeed(new URL(url).href),
    post: () => Effect.succeed({ status: 503, body: "down" })
  })
);

const route: RouteReport = {
  name: "home",
  proxy: null,
  hosts: null,
  order: 1,
  resting: [{ host: "a.example", reason: "bot_blocked", untilMs: 1 }],
  jar: null
};
const jar = { cookies: 2, writtenAtMs: 2, expiresAtMs: null, lastSuccessAtMs: 3, problem: null };
const routes = Layer.succeed(SourceRoutes, { report: Effect.succeed([route, { ...route, jar }]) });

const app = TestApp.with({ webhooks: failing, rateLimits: unlimited }).pipe(Layer.provide(routes));

/** With a word in place of each value that differs from run to run. */
const steady = (text: string): string =>
  text
    .replaceAll(/20\d\d-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z)?/gu, "TIME")
    .replaceAll(/\b(acc|bat|ext|key|mem|sch|ses|whd|whe)_\w+/gu, "$1")
    .replaceAll(/"(wnw_|whsec_|t=|v1,)[^"]*"/gu, '"$1"')
    .replaceAll(/"(next_cursor|webhook-timestamp|durationMs)":("[^"]*"|\d+)/gu, '"$1":0')
    .replaceAll(/(token|expires|signature)=[^"&]*/gu, "$1=");

/** Sends requests as a page of the server would, and notes what is asked and answered. */
const noting = Effect.fnUntraced(function* ({ id }: TestAccount) {
  const { ask } = yield* signedIn(id);
  const lines: Array<string> = [];
  const note = (path: string, options: CallOptions = {}) =>
    Effect.tap(ask(path, options), ({ text }) =>
      Effect.sync(() => {
        const method = options.method ?? (options.body === undefined ? "GET" : "POST");
        lines.push(steady(`${method} ${path}\n${text}\n`));
      })
    );
  return { ask, note, lines };
});
type Noting = Effect.Success<ReturnType<typeof noting>>;

const POST = { method: "POST" };

const noteRuns = Effect.fnUntraced(function* (owner: TestAccount, { ask, note }: Noting) {
  const { finished } = yield* TestApp;
  yield* note(`/v1/extractions/${yield* finished(owner, { url: VIDEO })}`);
  yield* note("/v1/extractions", { body: { url: VIDEO } });
  yield* note(`/v1/extractions/${yield* finished(owner, { url: PRIVATE, parts: ["video"] })}`);
  const body = { urls: [VIDEO, PRIVATE], parts: ["comments"], name: "One" };
  const { id } = (yield* ask("/v1/batches", { body })).json;
  yield* Effect.repeat(ask(`/v1/batches/${id}`), { until: ({ json }) => json.status === "complete" });
  yield* note(`/v1/batches/${id}`);
  yield* note("/v1/batches");
  yield* note("/v1/extractions?limit=1");
  yield* note("/v1/results/links", { body: { format: "jsonl" } });
  yield* note("/v1/ledger?limit=3");
});

const noteWebhooks = Effect.fnUntraced(function* ({ ask, note }: Noting) {
  const { id } = (yield* note("/v1/webhook-endpoints", { body: { url: "https://hooks.example/" } })).json;
  const sent = (yield* note(`/v1/webhook-endpoints/${id}/test`, POST)).json.id;
  yield* Effect.repeat(ask(`/v1/webhook-deliveries/${sent}`), {
    until: ({ json }) => json.attempts.length > 0
  });
  yield* note(`/v1/webhook-deliveries/${sent}`);
  yield* note("/v1/webhook-deliveries");
  yield* note("/v1/webhook-endpoints");
  yield* note(`/v1/webhook-endpoints/${id}/rotate-secret`, POST);
  yield* note(`/v1/webhook-endpoints/${id}/enable`, POST);
});

const noteAccount = Effect.fnUntraced(function* ({ id }: TestAccount, { note }: Noting) {
  yield* note("/v1/account");
  yield* note("/v1/usage?days=1");
  yield* note("/v1/api-keys", { body: { name: "Import" } });
  yield* note("/v1/api-keys");
  yield* note("/v1/sessions");
  yield* note("/v1/members", { body: { email: "ada@example.com" } });
  yield* note("/v1/members");
  const schema = { type: "object", properties: { a: { type: "string" } } };
  yield* note("/v1/schemas", { body: { name: "A", schema } });
  yield* note("/v1/schemas", { body: { name: "A", schema, prompt: "Read it." } });
  yield* note("/v1/schemas?limit=2");
  const headers = { ...SAME_ORIGIN, authorization: `Bearer ${ADMIN_TOKEN}` };
  yield* note(`/admin/v1/accounts/${id}`, { headers });
  yield* note(`/admin/v1/accounts/${id}/sign-in-links`, { ...POST, headers });
  yield* note(`/admin/v1/accounts/${id}/api-keys`, { headers, body: {} });
  yield* note("/admin/v1/routes", { headers });
});

layer(app, { excludeTestServices: true })("a body", (it) => {
  it.effect("has the fields of its kind in their order, and nothing else of what the engine knows", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const owner = yield* account(5_000);
      const page = yield* noting(owner);
      yield* noteRuns(owner, page);
      yield* noteWebhooks(page);
      yield* noteAccount(owner, page);
      assert.strictEqual(page.lines.join("\n"), EXPECTED);
    })
  );
});
