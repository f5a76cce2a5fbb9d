import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { BODY_DEPTH_MAX } from "../../../src/domain/request/BodyFields.ts";
import { PROMPT_BYTES_MAX, SCHEMA_BYTES_MAX } from "../../../src/domain/json-schema/SchemaRules.ts";
import { readProbe, readRequest } from "../../../src/domain/run/SubmitBody.ts";

const URL = "https://example.com/watch/talk";
const SCHEMA = { type: "object", properties: { title: { type: "string" } } };

const ALL = { ai: true, speech: true };

const submitOf = (body: unknown, ai = true) => readRequest(body, { ai, speech: true });

const probeOf = (body: unknown) => readProbe(body, ALL);

const detailsOf = (read: Result.Result<unknown, { readonly details: unknown }>): unknown =>
  Result.isFailure(read) ? read.failure.details : "accepted";

/** JSON of exactly this many UTF-8 bytes. */
const schemaOfBytes = (bytes: number) => {
  const frame = JSON.stringify({ type: "object", description: "" }).length;
  return { type: "object", description: "x".repeat(bytes - frame) };
};

const nested = (levels: number): unknown => {
  let value: unknown = {};
  for (let level = 1; level < levels; level++) value = { next: value };
  return value;
};

describe("a submit", () => {
  it("is a download-only run of everything by default", () => {
    assert.deepStrictEqual(Result.getOrThrow(submitOf({ url: `${URL}#part` })), {
      url: `${URL}#part`,
      normalizedUrl: URL,
      fromExtraction: null,
      mode: "download",
      modalities: ["transcript", "comments", "audio", "video"],
      named: false,
      schema: null,
      schemaOrigin: null,
      prompt: null,
      policy: "fallback",
      range: null,
      language: null,
      captions: "any",
      speech: false,
      auto: false,
      maxSpendCredits: null,
      force: false,
      evidence: null,
      maxCredits: null,
      maxAgeSeconds: null,
      webhookUrl: null,
      submitted: { url: `${URL}#part` },
      traceparent: null
    });
  });

  it("is an AI run over transcript and comments by default when it has a schema", () => {
    const request = Result.getOrThrow(submitOf({ url: URL, schema: SCHEMA, prompt: "Be brief." }));
    assert.deepInclude(request, {
      mode: "ai",
      modalities: ["transcript", "comments"],
      schema: SCHEMA,
      prompt: "Be brief."
    });
    const byId = Result.getOrThrow(submitOf({ url: URL, schemaId: "winnow.predefined.recipe.v1" }));
    assert.deepInclude(byId, { mode: "ai", schema: "winnow.predefined.recipe.v1" });
  });

  it("duplicates in arrays collapse, and order does not matter", () => {
    const request = Result.getOrThrow(submitOf({ url: URL, parts: ["video", "audio", "video", "audio"] }));
    assert.deepStrictEqual(request.modalities, ["audio", "video"]);
    assert.deepStrictEqual(Result.getOrThrow(submitOf({ url: URL, parts: [] })).modalities, []);
  });

  it("accepts and ignores a prompt on a download-only run and a spending limit without auto", () => {
    const request = Result.getOrThrow(
      submitOf({ url: URL, prompt: "x".repeat(PROMPT_BYTES_MAX + 1), maxSpendCredits: 0.5 })
    );
    assert.isNull(request.prompt);
    assert.isFalse(request.auto);
  });

  it.each([
    [null, { param: "body" }],
    [[], { param: "body" }],
    ["text", { param: "body" }],
    [{}, { param: "url" }],
    [{ url: 7 }, { param: "url" }],
    [
      { url: URL, partz: ["audio"] },
      { param: "partz", reason: "unknown_field" }
    ],
    [JSON.parse(`{"url":"${URL}","__proto__":{}}`), { param: "__proto__", reason: "unknown_field" }],
    [{ url: URL, parts: ["slides"] }, { param: "parts" }],
    [{ url: URL, parts: "audio" }, { param: "parts" }],
    [{ url: URL, parts: null }, { param: "parts" }],
    [{ url: URL, policy: "lenient" }, { param: "policy" }],
    [{ url: URL, force: "yes" }, { param: "force" }],
    [
      { url: URL, inputs: ["transcript"] },
      { param: "inputs", reason: "requires_schema" }
    ],
    [
      { url: URL, inputs: [], parts: [] },
      { param: "inputs", reason: "requires_schema" }
    ],
    [
      { url: URL, schema: SCHEMA, inputs: [] },
      { param: "inputs", reason: "empty" }
    ],
    [
      { url: URL, schema: SCHEMA, parts: ["audio"] },
      { param: "parts", reason: "excluded_by_schema" }
    ],
    [
      { url: URL, schema: SCHEMA, schemaId: "a" },
      { param: "schemaId", reason: "excluded_by_schema" }
    ],
    [{ url: URL, schema: [] }, { param: "schema" }],
    [{ url: URL, schema: null }, { param: "schema" }],
    [{ url: URL, schemaId: "" }, { param: "schemaId" }],
    [
      { url: URL, range: {} },
      { param: "range", reason: "empty" }
    ],
    [
      { url: URL, range: { endSec: 0 } },
      { param: "range", reason: "empty" }
    ],
    [
      { url: URL, range: { startSec: 9, endSec: 9 } },
      { param: "range", reason: "empty" }
    ],
    [
      { fromExtraction: "ext_1", schema: SCHEMA, range: { endSec: 9 } },
      { param: "range", reason: "excluded_by_from_extraction" }
    ],
    [
      { url: URL, range: { startSec: 1, until: 9 } },
      { param: "range", reason: "unknown_field" }
    ],
    [{ url: URL, range: null }, { param: "range" }],
    [{ url: URL, range: { startSec: "1:05" } }, { param: "range" }],
    [
      { url: URL, auto: true, maxSpendCredits: 100 },
      { param: "auto", reason: "requires_schema" }
    ],
    [
      { url: URL, auto: true, schema: SCHEMA },
      { param: "maxSpendCredits", reason: "required_by_auto" }
    ],
    [{ url: URL, maxSpendCredits: -1 }, { param: "maxSpendCredits" }]
  ])("%j is refused, naming the field", (body, details) => {
    assert.deepStrictEqual(detailsOf(submitOf(body)), details);
  });

  it.each([
    [{ startSec: -1 }, "between 0 and 1000000"],
    [{ startSec: -0.0005 }, "between 0 and 1000000"],
    [{ startSec: 1.0005 }, "at most three decimals"],
    [{ endSec: 1e300 }, "between 0 and 1000000"],
    [{ endSec: 1e308 }, "between 0 and 1000000"]
  ])("of a range, the field is named that is wrong, and the rule: %j", (range, rule) => {
    const refused = Result.getOrThrow(Result.flip(submitOf({ url: URL, range })));
    assert.deepStrictEqual(refused.details, { param: "range" });
    assert.include(refused.message, `\`range.${Object.keys(range)[0]}\``);
    assert.include(refused.message, rule);
  });

  it.each([
    [undefined, null],
    [{ startSec: 0 }, null],
    [{ endSec: 9.5 }, { startSec: 0, endSec: 9.5 }],
    [{ startSec: 65.001 }, { startSec: 65.001, endSec: null }],
    [
      { startSec: 65, endSec: 150 },
      { startSec: 65, endSec: 150 }
    ]
  ])("the range %j is read as %j, by a probe too", (range, read) => {
    const body = { url: URL, ...(range === undefined ? {} : { range }) };
    for (const of of [submitOf, probeOf]) assert.deepStrictEqual(Result.getOrThrow(of(body)).range, read);
  });

  it("distinguishes a URL that cannot be parsed from one that is not supported", () => {
    const bad = submitOf({ url: "example.com" });
    const channel = submitOf({ url: "https://www.youtube.com/@somebody" });
    assert.strictEqual(Result.isFailure(bad) && bad.failure._tag, "InvalidUrl");
    assert.strictEqual(Result.isFailure(channel) && channel.failure._tag, "UnsupportedUrl");
  });

  it("a schema may have 100 KB of UTF-8 and a prompt 20 KB, and not a byte more", () => {
    const sized = (schemaBytes: number, prompt: string) =>
      detailsOf(submitOf({ url: URL, schema: schemaOfBytes(schemaBytes), prompt }));
    const longest = "ä".repeat(PROMPT_BYTES_MAX / 2);
    assert.strictEqual(sized(SCHEMA_BYTES_MAX, longest), "accepted");
    assert.deepStrictEqual(sized(SCHEMA_BYTES_MAX + 1, ""), {
      param: "schema",
      reason: "too_large",
      maxBytes: 102_400
    });
    assert.deepStrictEqual(sized(1_000, `${longest}x`), {
      param: "prompt",
      reason: "too_large",
      maxBytes: 20_480
    });
  });

  it("a body that is nested too deeply is rejected, at any depth", () => {
    const within = { url: URL, schema: { type: "object", next: nested(BODY_DEPTH_MAX - 2) } };
    assert.strictEqual(detailsOf(submitOf(within)), "accepted");
    for (const levels of [BODY_DEPTH_MAX, 50_000]) {
      const details = { param: "schema", reason: "too_deep" };
      assert.deepStrictEqual(detailsOf(submitOf({ url: URL, schema: nested(levels) })), details);
      assert.deepStrictEqual(detailsOf(probeOf({ url: URL, schema: nested(levels) })), details);
    }
  });

  it("AI runs without a model are refused after all other checks", () => {
    const reason = "ai_not_configured";
    assert.deepStrictEqual(detailsOf(submitOf({ url: URL, schema: SCHEMA }, false)), {
      param: "schema",
      reason
    });
    assert.deepStrictEqual(detailsOf(submitOf({ url: URL, schemaId: "a" }, false)), {
      param: "schemaId",
      reason
    });
    const other = detailsOf(submitOf({ url: URL, schema: SCHEMA, auto: true }, false));
    assert.deepStrictEqual(other, { param: "maxSpendCredits", reason: "required_by_auto" });
    assert.strictEqual(detailsOf(submitOf({ url: URL }, false)), "accepted");
  });
});

describe("a probe", () => {
  it("represents the submit of the same body", () => {
    for (const body of [
      { url: URL },
      { url: URL, parts: ["audio"], policy: "strict", force: true },
      { url: URL, schema: SCHEMA, prompt: "Be brief.", inputs: ["audio"], captions: "people" },
      { url: URL, schemaId: "auto", auto: true, maxSpendCredits: 500 }
    ]) {
      assert.deepStrictEqual(probeOf(body), submitOf(body));
    }
  });

  it("ignores fields that do not affect the price", () => {
    const request = Result.getOrThrow(
      probeOf({
        url: URL,
        schema: ["never", "validated"],
        schemaId: 7,
        prompt: { not: "text" },
        policy: "lenient",
        force: "yes",
        webhookUrl: "http://10.0.0.1/"
      })
    );
    assert.deepInclude(request, { mode: "ai", policy: "fallback", force: false, webhookUrl: null });
  });

  it.each([
    [
      { url: URL, partz: [] },
      { param: "partz", reason: "unknown_field" }
    ],
    [
      { url: URL, inputs: ["audio"] },
      { param: "inputs", reason: "requires_schema" }
    ],
    [
      { url: URL, schema: SCHEMA, inputs: [] },
      { param: "inputs", reason: "empty" }
    ],
    [
      { url: URL, schemaId: "a", parts: [] },
      { param: "parts", reason: "excluded_by_schema" }
    ],
    [{ url: URL, parts: ["slides"] }, { param: "parts" }],
    [{ url: "https://www.youtube.com/@somebody" }, { param: "url", reason: "channel" }]
  ])("%j is refused like the submit", (body, details) => {
    assert.deepStrictEqual(detailsOf(probeOf(body)), details);
    assert.deepStrictEqual(detailsOf(submitOf(body)), details);
  });
});
