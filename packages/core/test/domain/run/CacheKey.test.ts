import { assert, describe, it } from "@effect/vitest";
import { cacheKey, isReusable, reusableKeys } from "../../../src/domain/run/CacheKey.ts";
import { DEFAULT_INPUTS, MODALITIES } from "../../../src/domain/source/Modality.ts";
import type { RunRequest } from "../../../src/domain/request/RunRequest.ts";
import { coverageWithout, sampleRequest, sampleResult } from "@winnow/testing/samples/samples";

const ai = (over: Partial<RunRequest> = {}): RunRequest =>
  sampleRequest({ mode: "ai", modalities: DEFAULT_INPUTS, schema: { type: "object" }, prompt: "p", ...over });
const key = (over: Partial<RunRequest> = {}, model: string | null = "m"): string =>
  cacheKey("acc_1", ai(over), model);

describe("the cache key", () => {
  it("changes with account, URL, schema, prompt, inputs, range and model", () => {
    const keys = [
      key(),
      cacheKey("acc_2", ai(), "m"),
      key({ normalizedUrl: "https://example.com/other" }),
      key({ schema: { type: "object", required: ["a"] } }),
      key({ prompt: null }),
      key({ modalities: ["transcript"] }),
      key({ range: { startSec: 0, endSec: 10 } }),
      key({ range: { startSec: 1, endSec: 10 } }),
      key({ range: { startSec: 1, endSec: null } }),
      key({ auto: true }),
      key({}, "n")
    ];
    assert.lengthOf(new Set(keys), keys.length);
    assert.match(key(), /^[0-9a-f]{64}$/u);
  });

  it("does not change with spelling of the URL or schema, policy, webhook, spending or force", () => {
    assert.strictEqual(
      key({
        url: "HTTPS://example.com/watch/talk#t",
        policy: "strict",
        webhookUrl: "https://hooks.example/1",
        maxSpendCredits: 500,
        force: true
      }),
      key()
    );
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
