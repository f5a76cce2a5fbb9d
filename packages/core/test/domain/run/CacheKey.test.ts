import { assert, describe, it } from "@effect/vitest";
import { cacheKey, isReusable, reusableKeys } from "../../../src/domain/run/CacheKey.ts";
import { DEFAULT_INPUTS, MODALITIES } from "../../../src/domain/source/Modality.ts";
import type { RunRequest } from "../../../src/domain/request/RunRequest.ts";
import { coverageWithout, sampleRequest, sampleResult } from "@winnow/testing/samples/samples";

const ai = (over: Partial<RunRequest> = {}): RunRequest =>
  sampleRequest({ mode: "ai", modalities: DEFAULT_INPUTS, schema: { type: "object" }, prompt: "p", ...over });
const key = (over: Partial<RunRequest> = {}, model: string | null = "m"): string =>
  cacheKey("acc_1", ai(over), model);

/** Another value of each field, and whether it changes the key: a new field does not compile until it stands here. */
const OTHERS: { readonly [Field in keyof RunRequest]: readonly [other: RunRequest[Field], counts: boolean] } =
  {
    url: ["HTTPS://example.com/watch/talk#t", false],
    normalizedUrl: ["https://example.com/other", true],
    fromExtraction: [{ id: "ext_1", files: { extractionId: "ext_1", attempt: 1 } }, true],
    mode: ["download", true],
    modalities: [["transcript"], true],
    named: [false, false],
    schema: [{ type: "object", required: ["a"] }, true],
    schemaOrigin: [{ id: "sch_1", version: 1, prompt: null }, true],
    prompt: [null, true],
    policy: ["strict", false],
    language: ["de", true],
    range: [{ startSec: 0, endSec: 10 }, true],
    captions: ["people", true],
    speech: [true, true],
    auto: [true, true],
    maxSpendCredits: [500, false],
    force: [true, false],
    evidence: ["require", true],
    maxCredits: [500, false],
    maxAgeSeconds: [60, false],
    webhookUrl: ["https://hooks.example/1", false],
    submitted: [{}, false],
    traceparent: ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false]
  };

describe("the cache key", () => {
  it("changes with account, model, and each field that changes the result", () => {
    const others = Object.entries(OTHERS).map(([field, [other]]) => key({ [field]: other }));
    const counted = others.filter((other) => other !== key());
    assert.deepStrictEqual(
      others.map((other) => other !== key()),
      Object.values(OTHERS).map(([, counts]) => counts)
    );
    const ranges = [
      { startSec: 1, endSec: 10 },
      { startSec: 1, endSec: null }
    ].map((range) => key({ range }));
    const apart = [...counted, ...ranges, key(), key({}, "n"), cacheKey("acc_2", ai(), "m")];
    assert.lengthOf(new Set(apart), apart.length);
    assert.match(key(), /^[0-9a-f]{64}$/u);
  });

  it("does not change with the spelling of the schema", () => {
    const schema = { required: ["a"], type: "object" };
    assert.strictEqual(key({ schema }), key({ schema: { type: "object", required: ["a"] } }));
  });

  it("of a download-only run does not depend on the prompt", () => {
    const run = sampleRequest();
    assert.strictEqual(cacheKey("acc_1", { ...run, prompt: "p" }, null), cacheKey("acc_1", run, null));
    assert.notStrictEqual(
      cacheKey("acc_1", run, null),
      cacheKey("acc_1", ai({ modalities: MODALITIES }), null)
    );
  });
});

describe("a reusable result", () => {
  it("for a plain request has its own key, or that of an auto run over the same inputs", () => {
    assert.deepStrictEqual(reusableKeys("acc_1", ai(), "m"), [key(), key({ auto: true })]);
    const download = sampleRequest();
    assert.deepStrictEqual(reusableKeys("acc_1", download, null), [cacheKey("acc_1", download, null)]);
  });

  it("of an auto run serves a plain request if it read all of its inputs", () => {
    const inputs = ai({ modalities: ["transcript", "audio"] });
    assert.isTrue(isReusable(sampleResult("ext_1", { rung: ["transcript", "audio"] }), inputs));
    assert.isFalse(isReusable(sampleResult("ext_1", { rung: ["transcript"] }), inputs));
  });

  it("for an auto request is any with inputs up to its ceiling, those with the most inputs first", () => {
    const keys = reusableKeys("acc_1", ai({ auto: true }), "m");
    assert.deepStrictEqual(keys.slice(0, 2), [key({ auto: true }), key()]);
    const plain = [key(), key({ modalities: ["transcript"] }), key({ modalities: ["comments"] })];
    assert.includeMembers([...keys], plain);
    assert.notInclude(keys, key({ modalities: ["transcript", "audio"] }));
    // All auto runs are included: one with a higher ceiling may have stopped at a rung below this one.
    assert.include(keys, key({ auto: true, modalities: ["transcript", "audio"] }));
    assert.lengthOf(keys, plain.length + 15);
  });

  it("that lacked an input does not serve a strict request", () => {
    const notFound = sampleResult("ext_1", { coverage: coverageWithout("comments") });
    assert.isFalse(isReusable(notFound, ai({ policy: "strict" })));
    assert.isTrue(isReusable(notFound, ai({ policy: "fallback" })));
    assert.isTrue(isReusable(notFound, ai({ policy: "best-effort" })));
    assert.isTrue(isReusable(sampleResult("ext_1"), ai({ policy: "strict" })));
  });

  it("of an auto run serves another if its rung is below that ceiling", () => {
    const heard = sampleResult("ext_1", { rung: ["transcript", "audio"] });
    assert.isTrue(isReusable(heard, ai({ auto: true, modalities: ["transcript", "audio", "video"] })));
    assert.isFalse(isReusable(heard, ai({ auto: true, modalities: ["transcript"] })));
  });
});
