import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { BODY_DEPTH_MAX, readFields, rejectUnstorableText } from "../../../src/domain/request/BodyFields.ts";
import { SubmitBody } from "../../../src/domain/run/SubmitBody.ts";

const Body = Schema.Struct({ name: Schema.optionalKey(Schema.Literal("x")) });

const detailsOf = (result: Result.Result<unknown, { readonly details: unknown }>) =>
  Result.isFailure(result) ? result.failure.details : null;

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

describe("the depth of a body", () => {
  it.each([
    [`{"url":"[[[","schema":{"not":${nested(BODY_DEPTH_MAX)}},"inputs":[[]]}`, "schema"],
    [`{"a":"\\"{","b\\n": ${nested(50_000)}}`, "b\n"],
    [`{"inputs":${nested(50_000)}}`, "inputs"],
    [`{"${"a".repeat(300)}":${nested(BODY_DEPTH_MAX)}}`, `${"a".repeat(200)}…`]
  ])("%# is refused, naming the field that goes too deep", (json, param) => {
    assert.deepStrictEqual(detailsOf(readFields(Body, JSON.parse(json))), { param, reason: "too_deep" });
  });

  it.each([`["schema", ${nested(50_000)}]`, nested(50_000)])(
    "%# that is not an object is refused as that",
    (json) => {
      assert.deepStrictEqual(detailsOf(readFields(Body, JSON.parse(json))), { param: "body" });
    }
  );

  it("at the limit is accepted", () => {
    const body: unknown = JSON.parse(`{"any":${nested(BODY_DEPTH_MAX - 1)}}`);
    assert.isTrue(Result.isSuccess(readFields(Schema.Struct({ any: Schema.Unknown }), body)));
  });

  it("is measured quickly for any body", () => {
    const bytes = 262_144;
    const bodies = [
      nested(bytes / 2),
      `[${"[],".repeat(bytes / 3 - 2)}[]]`,
      `"${'\\"'.repeat(bytes / 2 - 2)}"`
    ];
    // CPU time of this thread, a tenth of a second; in quadratic time, minutes.
    const before = process.threadCpuUsage();
    for (const body of bodies)
      assert.isNotNull(detailsOf(readFields(Body, { name: JSON.parse(body) as unknown })));
    const { user, system } = process.threadCpuUsage(before);
    assert.isBelow((user + system) / 1_000, 5_000);
  });
});

describe("the fields of a body", () => {
  it("are named if they are unknown, with long names shortened", () => {
    const refused = readFields(Body, { ["a".repeat(5_000)]: 1 });
    assert.isTrue(Result.isFailure(refused));
    if (!Result.isFailure(refused)) return;
    assert.isBelow(refused.failure.message.length, 300);
    assert.deepStrictEqual(refused.failure.details, {
      param: `${"a".repeat(200)}…`,
      reason: "unknown_field"
    });
  });

  it("that are missing or wrong are reported in the caller's terms", () => {
    const messageOf = (body: unknown) => {
      const read = readFields(SubmitBody, body);
      return Result.isFailure(read) ? read.failure.message : "accepted";
    };
    assert.strictEqual(messageOf({}), "`url`: is missing.");
    assert.strictEqual(messageOf({ url: 5 }), "`url`: must be a string.");
    assert.strictEqual(messageOf({ url: "u", force: "yes" }), "`force`: must be true or false.");
    assert.strictEqual(messageOf({ url: "u", maxCredits: 1.5 }), "`maxCredits`: must be an integer.");
    assert.strictEqual(
      messageOf({ url: "u", maxCredits: -1 }),
      "`maxCredits`: must be a value greater than or equal to 0."
    );
    assert.strictEqual(
      messageOf({ url: "u", parts: ["smell"] }),
      "`parts`: each must be one of transcript, comments, audio, video."
    );
    assert.strictEqual(
      messageOf({ url: "u", policy: "lax" }),
      "`policy`: must be strict, fallback or best-effort."
    );
  });

  it("of a nested object are reported like those of the outermost", () => {
    const Limits = Schema.Struct({ runningMax: Schema.optionalKey(Schema.NullOr(Schema.Int)) }).annotate({
      identifier: "LimitsChange"
    });
    const Change = Schema.Struct({ limits: Limits });
    const read = (body: unknown) => {
      const refused = readFields(Change, body);
      return Result.isFailure(refused) ? [refused.failure.message, refused.failure.details] : [];
    };
    assert.deepStrictEqual(read({ limits: { bogus: 1 } }), [
      "`limits.bogus` is not a field of this request.",
      { param: "limits", reason: "unknown_field" }
    ]);
    assert.deepStrictEqual(read({ limits: 5 }), ["`limits`: must be an object.", { param: "limits" }]);
  });

  it("are named if a key or value at any depth contains text that the database cannot store", () => {
    const unfit = [{ a: "\0" }, { a: { b: ["\ud800"] } }, { a: [{ "\0": 1 }] }];
    for (const body of unfit) {
      assert.deepStrictEqual(detailsOf(rejectUnstorableText(body)), { param: "a", reason: "unfit_text" });
    }
    assert.isNull(detailsOf(rejectUnstorableText({ a: "\u{1f600}", b: String.raw`\u0000`, c: null, d: 0 })));
  });
});
