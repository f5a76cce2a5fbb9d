import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { listItemOf } from "../../../src/domain/result/ExtractionList.ts";
import { readRequest } from "../../../src/domain/run/SubmitBody.ts";
import { submittedBody } from "../../../src/domain/request/RunRequest.ts";
import { decideRefundedTokens, usageByKey, usageDays, usagePeriod } from "../../../src/domain/run/Usage.ts";
import { resultView } from "../../../src/domain/result/ResultView.ts";
import {
  sampleExtraction,
  sampleFacts,
  sampleRequest,
  sampleResult,
  sampleView
} from "@winnow/testing/samples/samples";

describe("what a list shows", () => {
  it("comes from the inspection until there is a result, then from the result", () => {
    const shown = { kind: "webpage", title: "Before", durationSeconds: null } as const;
    const seen = { ...shown, imageCount: 0 };
    const nothing = { title: null, kind: null, durationSeconds: null, hasThumbnail: false };
    const request = sampleRequest();
    assert.deepStrictEqual(listItemOf({ request, seen: null, result: null }), nothing);
    assert.deepStrictEqual(listItemOf({ request, seen, result: null }), {
      ...shown,
      hasThumbnail: false
    });
    const result = sampleResult("ext_1", {
      facts: sampleFacts({ title: "x".repeat(600) }),
      artifacts: [{ name: "thumbnail.jpg", contentType: "image/jpeg", sizeBytes: 1 }]
    });
    assert.deepStrictEqual(listItemOf({ request, seen, result }), {
      title: "x".repeat(500),
      kind: "video",
      durationSeconds: 12.018,
      hasThumbnail: true
    });
  });
});

describe("a result on the wire", () => {
  it("leaves out what the store has as null", () => {
    const result = sampleResult("ext_1");
    const view = resultView(sampleExtraction("acc_1", { status: "complete", result }), "https://w.example");
    const absent = ["verdictReason", "evidence", "usage", "schemaId"];
    assert.doesNotHaveAnyKeys(view, absent);
    assert.containsAllKeys(view, ["outcome", "extraction", "parts"]);
  });
});

describe("a body read back", () => {
  const read = (body: unknown) => Result.getOrThrow(readRequest(body, { ai: true, speech: true }));

  it("is the one that was submitted", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const bodies = [
      { url: "https://example.com/watch/1" },
      { url: "https://Example.com/watch/1?utm_source=x", parts: [], force: false, policy: "strict" },
      { url: "https://example.com/watch/1", schema, prompt: "p", inputs: ["video", "transcript"] },
      { url: "https://example.com/watch/1", schemaId: "sch_1", auto: true, maxSpendCredits: 100 },
      { url: "https://example.com/watch/1", prompt: "not used", webhookUrl: "https://example.org/hook" }
    ];
    for (const body of bodies) assert.deepStrictEqual(submittedBody(read(body)), body);
  });

  it("keeps the schema id that was resolved to a schema", () => {
    const request = read({ url: "https://example.com/watch/1", schemaId: "sch_1" });
    const resolved = { ...request, schema: { type: "object" } };
    assert.deepStrictEqual(submittedBody(resolved), { url: request.url, schemaId: "sch_1" });
  });
});

describe("usage by day", () => {
  it("has a row for each of the last days, oldest first", () => {
    const before = { day: "2026-02-27", apiKeyId: null, runs: 9, debited: 9, refunded: 9 };
    const byKey = { day: "2026-03-01", apiKeyId: "key_a", runs: 1, debited: 50, refunded: 3 };
    const byPerson = { ...byKey, apiKeyId: null };
    assert.deepStrictEqual(usageDays([before, byPerson, byKey], 3, Date.UTC(2026, 2, 2, 0, 0, 1)), [
      { day: "2026-02-28", runs: 0, debited: 0, refunded: 0 },
      { day: "2026-03-01", runs: 2, debited: 100, refunded: 6 },
      { day: "2026-03-02", runs: 0, debited: 0, refunded: 0 }
    ]);
  });

  it("is of the last days, or of a month until today", () => {
    const nowMs = Date.UTC(2026, 6, 9, 15);
    assert.deepStrictEqual(usagePeriod({ days: 7 }, nowMs), { days: 7, untilMs: nowMs });
    assert.deepStrictEqual(usagePeriod({ days: 7, month: "2026-07" }, nowMs), { days: 9, untilMs: nowMs });
    assert.deepStrictEqual(usagePeriod({ days: 7, month: "2024-02" }, nowMs), {
      days: 29,
      untilMs: Date.UTC(2024, 2, 1) - 1
    });
    assert.strictEqual(usagePeriod({ days: 7, month: "2025-12" }, nowMs).days, 31);
    assert.strictEqual(usagePeriod({ days: 7, month: "2026-08" }, nowMs).days, 0);
  });

  it("is summed by API key too, the one that spent most first", () => {
    const [people, key] = [null, "key_a"].map((apiKeyId) => ({
      apiKeyId,
      runs: 1,
      debited: 50,
      refunded: 3
    }));
    const days = ["2026-03-01", "2026-03-02"].map((day) => ({ day, ...key!, debited: 60 }));
    assert.deepStrictEqual(usageByKey([{ day: "2026-03-01", ...people! }, ...days]), [
      { apiKeyId: "key_a", runs: 2, debited: 120, refunded: 6 },
      people!
    ]);
  });
});

describe("tokens of a run that others ended", () => {
  it("count as refunded if it failed or is gone, and not if it completed", () => {
    const counted = (status: "failed" | "complete" | null) => {
      const extraction = status === null ? null : sampleExtraction("acc_1", { status });
      const { changes } = Result.getOrThrow(
        decideRefundedTokens("ext_1", 7, 0).decide(sampleView({ extraction }))
      );
      return changes.account?.refundedModelUse?.tokens ?? 0;
    };
    assert.deepStrictEqual([counted("failed"), counted(null), counted("complete")], [7, 7, 0]);
  });
});
