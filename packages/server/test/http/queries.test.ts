import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { signedIn } from "../SignedIn.ts";
import { ADMIN_TOKEN, TestApp, VIDEO } from "../TestApp.ts";

const LISTS = [
  "/v1/extractions",
  "/v1/batches",
  "/v1/results",
  "/v1/schemas",
  "/v1/webhook-deliveries",
  "/v1/ledger",
  "/admin/v1/accounts"
];

/** Whole numbers are digits and nothing else. */
const NO_NUMBERS = ["", "0", "101", "1000", "1.5", "-1", "%2B5", "1e1", "0x5", "x", "%201"];

const WHEN = "must be a date and time with its offset, such as 2026-11-21T08:00:00Z";
const NO_TIMES = ["", "today", "2026-11-21", "2026-02-29T00:00:00Z", "2026-13-45T00:00:00Z"];
const ID = "must be an id as the service gave it";
const NO_IDS = ["", "%00", "a%20b", "x".repeat(201)];

/** Path and parameter, what is wrong with each of the values. */
const FAULTS: ReadonlyArray<
  readonly [path: string, param: string, values: ReadonlyArray<string>, rule: string]
> = [
  ...LISTS.map((path) => [path, "limit", NO_NUMBERS, "must be a whole number from 1 to 100"] as const),
  ...LISTS.map(
    (path) =>
      [path, "cursor", ["", "x"], "was not issued by this list; pass `next_cursor` unchanged"] as const
  ),
  ["/v1/usage", "days", [...NO_NUMBERS, "91"], "must be a whole number from 1 to 90"],
  ["/v1/usage", "month", ["", "2026-13", "July 2026"], "must be a month, such as 2026-07"],
  [
    "/v1/extractions",
    "status",
    ["", "done", "FAILED"],
    "must be one of queued, pending, running, complete, failed"
  ],
  ["/v1/extractions", "outcome", ["", "OK"], "must be one of ok, no_match, uncertain"],
  ["/v1/extractions", "kind", ["", "audio"], "must be one of video, photos, webpage"],
  ["/v1/extractions", "since", NO_TIMES, WHEN],
  ["/v1/extractions", "until", NO_TIMES, WHEN],
  ["/v1/extractions", "schemaId", NO_IDS, ID],
  ["/v1/extractions", "apiKeyId", NO_IDS, ID],
  ["/v1/extractions", "batchId", NO_IDS, ID],
  ["/v1/extractions", "q", ["x".repeat(201), "ﷺ".repeat(12)], "must have at most 200 characters"],
  ["/v1/results", "since", NO_TIMES, WHEN],
  ["/v1/results", "schemaId", NO_IDS, ID],
  ["/v1/results", "batchId", NO_IDS, ID],
  ["/v1/results", "support", ["", "proven"], "must be one of quoted, unsupported, not_stated"],
  ["/v1/results", "format", ["", "xml", "CSV"], "must be one of json, csv, jsonl"],
  ["/v1/results?limit=x&since=x", "format", ["xml"], "must be one of json, csv, jsonl"],
  ["/v1/extractions?q=why?", "kind", ["audio"], "must be one of video, photos, webpage"],
  ["/v1/results?format=csv", "columns", ["x", "quote,x"], "may contain quote, at, corrected, range"],
  ["/v1/webhook-deliveries", "status", ["", "done"], "must be `pending`, `delivered` or `failed`"]
];

const OPERATOR = { authorization: `Bearer ${ADMIN_TOKEN}` };

layer(TestApp.layerUnlimited, { excludeTestServices: true })("the query of a request", (it) => {
  const asker = Effect.gen(function* () {
    const { account, call } = yield* TestApp;
    const me = yield* account(0);
    return {
      ...me,
      ask: (path: string) => call(path, path.startsWith("/admin") ? { headers: OPERATOR } : { key: me.key })
    };
  });

  it.effect("is refused by the name of the parameter and its rule", () =>
    Effect.gen(function* () {
      const { ask } = yield* asker;
      for (const [path, param, values, rule] of FAULTS) {
        for (const value of values) {
          const { status, json } = yield* ask(`${path}${path.includes("?") ? "&" : "?"}${param}=${value}`);
          const told = { code: "invalid_request", message: `\`${param}\` ${rule}.`, details: { param } };
          assert.deepStrictEqual([status, json], [400, { error: told }], `${path} ${param}=${value}`);
        }
      }
    })
  );

  it.effect("has each parameter once", () =>
    Effect.gen(function* () {
      const { ask } = yield* asker;
      const twice = [
        ...LISTS.map((path) => [path, "limit", "5"] as const),
        ["/v1/extractions", "status", "failed"],
        ["/v1/extractions", "since", "2026-11-21T08:00:00Z"],
        ["/v1/extractions", "q", "x"],
        ["/v1/usage", "days", "5"],
        ["/v1/results", "format", "json"],
        ["/v1/probe/thumbnail", "url", "https://example.com/"],
        ["/sign-in/choice", "to", "/app"]
      ] as const;
      for (const [path, param, value] of twice) {
        const { status, json } = yield* ask(`${path}?${param}=${value}&${param}=${value}`);
        assert.deepStrictEqual(
          [status, json.error],
          [
            400,
            {
              code: "invalid_request",
              message: `\`${param}\` must be given exactly once.`,
              details: { param }
            }
          ],
          path
        );
      }
    })
  );

  it.effect("of a member's removal says whether to revoke, before the member is looked for", () =>
    Effect.gen(function* () {
      const { id } = yield* asker;
      const { ask } = yield* signedIn(id);
      const remove = (query: string) => ask(`/v1/members/mem_none${query}`, { method: "DELETE" });
      for (const value of ["", "yes", "TRUE", "1"]) {
        const { status, json } = yield* remove(`?revoke=${value}`);
        assert.deepStrictEqual(
          [status, json.error.message, json.error.details],
          [400, "`revoke` must be `true` or `false`.", { param: "revoke" }],
          value
        );
      }
      for (const query of ["", "?revoke=true", "?revoke=false"]) {
        assert.strictEqual((yield* remove(query)).status, 404, query);
      }
    })
  );

  it.effect("may have what says nothing: leading zeros, an empty search, unknown parameters", () =>
    Effect.gen(function* () {
      const { ask } = yield* asker;
      for (const path of [
        ...LISTS.map((list) => `${list}?limit=007`),
        "/v1/usage?days=090",
        "/v1/extractions?q=",
        "/v1/extractions?q=%20%00",
        `/v1/extractions?q=%20${"x".repeat(200)}%20`,
        "/v1/extractions?since=2026-11-21t08:00:00.5z&until=2026-11-21%2008:00:00-01:00",
        "/v1/extractions?since=1960-01-01T00:00:00Z",
        "/v1/extractions?sort=title",
        "/v1/results?format=csv&columns=",
        "/v1/results?format=csv&columns=,quote,,at",
        "/admin/v1/accounts?q=%20"
      ]) {
        assert.strictEqual((yield* ask(path)).status, 200, path);
      }
    })
  );

  it.effect("of a table has the same rules in the body that asks for a link to it", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { key } = yield* asker;
      const wrong = [
        [{ since: "today" }, "since", `\`since\` ${WHEN}.`],
        [{ format: "jsonl", schemaId: "" }, "schemaId", `\`schemaId\` ${ID}.`],
        [{ batchId: "a b" }, "batchId", `\`batchId\` ${ID}.`],
        [{ format: "jsonl", since: "2026-02-29T00:00:00Z" }, "since", `\`since\` ${WHEN}.`],
        [{ columns: "x" }, "columns", "`columns` may contain quote, at, corrected, range."],
        [{ since: 5 }, "since", "`since`: must be a string."],
        [{ support: "proven" }, "support", "`support`: must be quoted, unsupported or not_stated."],
        [{ format: "xml" }, "format", "`format` must be one of csv, jsonl."]
      ] as const;
      for (const [body, param, message] of wrong) {
        const { status, json } = yield* call("/v1/results/links", { key, body });
        assert.deepStrictEqual([status, json.error.message, json.error.details], [400, message, { param }]);
      }
    })
  );

  it.effect("and the body are checked against the API document wherever a test is served", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { key } = yield* asker;
      const body = { url: VIDEO, policy: "lenient" };
      assert.strictEqual((yield* call("/v1/probe", { key, body, isUndocumented: true })).status, 200);
      const exit = yield* Effect.exit(call("/v1/probe", { key, body }));
      assert.isTrue(Exit.hasDies(exit));
    })
  );
});
