import { assert, layer } from "@effect/vitest";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import { Busy } from "@winnow/core/domain/request/Refusal";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { TestApp, unlimited, VIDEO } from "../TestApp.ts";

const OVER_AN_HOUR = "https://example.com/over-an-hour";
const SCHEMA = { type: "object", properties: { topic: { type: "string" } } };

/** Too many inspections wait ahead of this one. */
const CROWDED = "https://example.com/crowded";

const refusals = TestApp.with({
  rateLimits: unlimited,
  analyst: FakeAnalyst.layer(),
  sources: {
    [OVER_AN_HOUR]: { facts: sampleFacts({ webpageUrl: OVER_AN_HOUR, durationSeconds: 3_600.001 }) },
    [CROWDED]: {
      facts: sampleFacts({ webpageUrl: CROWDED }),
      beforeInspect: Effect.fail(Busy.of(10))
    },
    "https://example.com/live": FakeDownloader.refuses("live"),
    "https://example.com/nothing": FakeDownloader.refuses("not_extractable"),
    "https://internal.example/": FakeDownloader.refuses("host_not_public")
  }
});

type Refused = readonly [body: unknown, status: number, code: string, param: string, reason?: string];

/** Rejected alike by probe and submit: URLs, inputs and parts. */
const BOTH: ReadonlyArray<Refused> = [
  ["text", 400, "invalid_request", "body"],
  [null, 400, "invalid_request", "body"],
  [[], 400, "invalid_request", "body"],
  [{}, 400, "invalid_request", "url"],
  [{ url: 7 }, 400, "invalid_request", "url"],
  [{ url: "" }, 400, "invalid_url", "url", "not_absolute"],
  [{ url: "example.com/video" }, 400, "invalid_url", "url", "not_absolute"],
  [{ url: "ftp://example.com/video" }, 400, "unsupported_url", "url", "scheme"],
  [{ url: "mailto:somebody@example.com" }, 400, "unsupported_url", "url", "scheme"],
  [{ url: "javascript:alert(1)" }, 400, "unsupported_url", "url", "scheme"],
  [{ url: "data:text/html,x" }, 400, "unsupported_url", "url", "scheme"],
  [{ url: "file:///etc/passwd" }, 400, "unsupported_url", "url", "scheme"],
  [{ url: "https://user:pass@example.com/" }, 400, "unsupported_url", "url", "credentials"],
  [{ url: "https://example.com/a\nb" }, 400, "invalid_url", "url", "control_character"],
  [{ url: "https://example.com\\a" }, 400, "invalid_url", "url", "backslash"],
  [{ url: "https://[::1/" }, 400, "invalid_url", "url", "unparseable"],
  [{ url: `https://example.com/${"a".repeat(2_048)}` }, 400, "invalid_url", "url", "too_long"],
  [{ url: "https://www.youtube.com/playlist?list=PL1" }, 400, "unsupported_url", "url", "playlist"],
  [{ url: "https://www.youtube.com/@someone" }, 400, "unsupported_url", "url", "channel"],
  [{ url: "https://www.youtube.com/results?search_query=x" }, 400, "unsupported_url", "url", "search"],
  [{ url: "https://example.com/live" }, 400, "unsupported_url", "url", "live"],
  [{ url: "https://example.com/nothing" }, 400, "unsupported_url", "url", "not_extractable"],
  [{ url: "https://internal.example/" }, 400, "unsupported_url", "url", "host_not_public"],
  [{ url: OVER_AN_HOUR }, 400, "unsupported_url", "url", "duration_exceeded"],
  [{ url: VIDEO, part: ["video"] }, 400, "invalid_request", "part", "unknown_field"],
  [{ url: VIDEO, inputs: ["video"] }, 400, "invalid_request", "inputs", "requires_schema"],
  [{ url: VIDEO, inputs: [] }, 400, "invalid_request", "inputs", "requires_schema"],
  [{ url: VIDEO, schema: SCHEMA, inputs: [] }, 400, "invalid_request", "inputs", "empty"],
  [{ url: VIDEO, schema: SCHEMA, inputs: ["smell"] }, 400, "invalid_request", "inputs"],
  [{ url: VIDEO, schema: SCHEMA, inputs: "video" }, 400, "invalid_request", "inputs"],
  [{ url: VIDEO, schema: SCHEMA, parts: ["video"] }, 400, "invalid_request", "parts", "excluded_by_schema"],
  [{ url: VIDEO, schemaId: "auto", parts: ["video"] }, 400, "invalid_request", "parts", "excluded_by_schema"],
  [{ url: VIDEO, parts: ["smell"] }, 400, "invalid_request", "parts"],
  [{ url: VIDEO, parts: { 0: "video" } }, 400, "invalid_request", "parts"],
  [{ url: VIDEO, parts: [null] }, 400, "invalid_request", "parts"],
  [{ url: VIDEO, auto: true }, 400, "invalid_request", "auto", "requires_schema"],
  [{ url: VIDEO, auto: "yes" }, 400, "invalid_request", "auto"],
  [{ url: VIDEO, schema: SCHEMA, auto: true }, 400, "invalid_request", "maxSpendCredits", "required_by_auto"],
  [
    { url: VIDEO, schema: SCHEMA, auto: true, maxSpendCredits: -1 },
    400,
    "invalid_request",
    "maxSpendCredits"
  ],
  [
    { url: VIDEO, schema: SCHEMA, auto: true, maxSpendCredits: "9" },
    400,
    "invalid_request",
    "maxSpendCredits"
  ],
  [
    { url: VIDEO, schema: SCHEMA, auto: true, maxSpendCredits: 186 },
    400,
    "invalid_request",
    "maxSpendCredits",
    "below_minimum"
  ]
];

/** Rejected by submit only. */
const SUBMIT: ReadonlyArray<Refused> = [
  [
    { url: VIDEO, schema: SCHEMA, schemaId: "auto" },
    400,
    "invalid_request",
    "schemaId",
    "excluded_by_schema"
  ],
  [{ url: VIDEO, schema: [] }, 400, "invalid_request", "schema"],
  [
    { url: VIDEO, schema: { description: "x".repeat(102_400) } },
    400,
    "invalid_request",
    "schema",
    "too_large"
  ],
  [
    { url: VIDEO, schema: { description: "\u00e9".repeat(51_200) } },
    400,
    "invalid_request",
    "schema",
    "too_large"
  ],
  [{ url: VIDEO, schemaId: "" }, 400, "invalid_request", "schemaId"],
  [{ url: VIDEO, schema: SCHEMA, prompt: "p".repeat(20_481) }, 400, "invalid_request", "prompt", "too_large"],
  [
    { url: VIDEO, schema: SCHEMA, prompt: "\u00e9".repeat(10_241) },
    400,
    "invalid_request",
    "prompt",
    "too_large"
  ],
  [{ url: VIDEO, prompt: 7 }, 400, "invalid_request", "prompt"],
  [{ url: VIDEO, policy: "lenient" }, 400, "invalid_request", "policy"],
  [{ url: VIDEO, force: 1 }, 400, "invalid_request", "force"],
  [{ url: VIDEO, webhookUrl: "http://example.com/hook" }, 400, "invalid_request", "webhookUrl", "not_https"],
  [
    { url: VIDEO, webhookUrl: "https://u:p@example.com/hook" },
    400,
    "invalid_request",
    "webhookUrl",
    "invalid_url"
  ],
  [{ url: VIDEO, webhookUrl: "nonsense" }, 400, "invalid_request", "webhookUrl", "invalid_url"]
];

layer(refusals, { excludeTestServices: true })("a refusal", (it) => {
  const assertRefused = Effect.fnUntraced(function* (path: string, rows: ReadonlyArray<Refused>) {
    const { account, call, store } = yield* TestApp;
    const me = yield* account(100_000);
    for (const [body, status, code, param, reason] of rows) {
      const text = JSON.stringify(body);
      const answer = yield* call(path, { key: me.key, body: text });
      const { error } = answer.json;
      assert.deepStrictEqual(
        [answer.status, error.code, error.details?.param, error.details?.reason],
        [status, code, param, reason],
        `${path} ${text.slice(0, 200)}`
      );
    }
    const ledger = yield* store.listLedger(me.id, { before: null, limit: 10 });
    assert.isTrue(ledger.every(({ kind }) => kind !== "debit"));
  });

  it.effect("has the same status, code, field and rule from submit, its alias and probe", () =>
    Effect.forEach(["/v1/extractions", "/v1/extract", "/v1/probe"], (path) => assertRefused(path, BOTH))
  );

  it.effect("of a field without effect on the price comes only from submit", () =>
    assertRefused("/v1/extractions", SUBMIT)
  );

  it.effect("of an unknown schema is 404, and of an insufficient balance 402 with both numbers", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const unknown = yield* call("/v1/extractions", { key, body: { url: VIDEO, schemaId: "sch_none" } });
      assert.deepStrictEqual([unknown.status, unknown.json.error.code], [404, "not_found"]);
      const poor = yield* call("/v1/extractions", { key, body: { url: VIDEO } });
      assert.deepStrictEqual([poor.status, poor.json.error.code], [402, "insufficient_credits"]);
      assert.deepStrictEqual(poor.json.error.details, { balance: 0, cost: 230 });
    })
  );

  it.effect("of an overloaded server is 503 busy, says when to retry, and debits nothing", () =>
    Effect.gen(function* () {
      const { account, call, store } = yield* TestApp;
      const { id, key } = yield* account(10_000);
      const headers = { "idempotency-key": "busy" };
      for (const path of ["/v1/probe", "/v1/extractions", "/v1/extract"]) {
        const answer = yield* call(path, { key, headers, body: { url: CROWDED } });
        assert.strictEqual(answer.status, 503);
        assert.deepInclude(answer.json.error, { code: "internal_error", details: { reason: "busy" } });
        assert.strictEqual(answer.headers.get("retry-after"), "10");
      }
      const ledger = yield* store.listLedger(id, { before: null, limit: 10 });
      assert.isTrue(ledger.every(({ kind }) => kind !== "debit"));
      const later = yield* call("/v1/extractions", { key, headers, body: { url: VIDEO } });
      assert.strictEqual(later.status, 201, "the key is not used up");
    })
  );

  it.effect("does not concern fields that download-only runs ignore", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(10_000);
      const body = { url: VIDEO, prompt: "p".repeat(30_000), maxSpendCredits: 1, parts: [] };
      const { status, json } = yield* call("/v1/extractions", { key, body });
      assert.deepStrictEqual([status, json.creditsDebited], [201, 50]);
    })
  );
});
