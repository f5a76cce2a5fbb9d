/** The events of a decision, their content and their recipients. */
import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { Failed } from "../../../src/domain/source/Failed.ts";
import { announcing, endDeliveries, testDelivery } from "../../../src/domain/result/Announcement.ts";
import { NO_CHANGES, nothing, type Changes, type Decision } from "../../../src/domain/run/Decision.ts";
import { resultView } from "../../../src/domain/result/ResultView.ts";
import type { WebhookTarget } from "../../../src/domain/webhook/WebhookEndpoint.ts";
import { sampleExtraction, sampleRequest, sampleResult, sampleView } from "@winnow/testing/samples/samples";

const CONTEXT = { publicUrl: "https://winnow.example", nowMs: 1_700_000_003_000 };
const ONE: WebhookTarget = { id: "whe_1", url: "https://example.com/one" };
const TWO: WebhookTarget = { id: "whe_2", url: "https://example.com/two" };

const complete = (webhookUrl: string | null = null) =>
  sampleExtraction("acc_1", {
    id: "ext_1",
    status: "complete",
    request: sampleRequest({ webhookUrl }),
    result: sampleResult("ext_1"),
    completedAtMs: 1
  });

const failed = sampleExtraction("acc_1", {
  status: "failed",
  failure: new Failed({ reason: "removed", message: "Gone." }),
  completedAtMs: 1
});

/** What is announced of a decision. */
const announced = <A, E>(decision: Result.Result<Decision<A>, E>) =>
  announcing({ needs: {}, decide: () => decision }, CONTEXT).decide(
    sampleView({ webhookEndpoints: [ONE, TWO] })
  );

describe("the events of a run that ended", () => {
  it("contain the result at that moment", () => {
    for (const [extraction, event] of [
      [complete(), "extraction.completed"],
      [failed, "extraction.failed"]
    ] as const) {
      const [delivery] = endDeliveries(extraction, [ONE], CONTEXT);
      const data = JSON.parse(JSON.stringify(resultView(extraction, CONTEXT.publicUrl)));
      assert.strictEqual(delivery?.event, event);
      assert.deepStrictEqual(JSON.parse(delivery?.body ?? ""), { event, data });
    }
  });

  it("go to every endpoint and to the per-run URL, unless that is one of them", () => {
    const targets = (webhookUrl: string | null, endpoints: ReadonlyArray<WebhookTarget>) =>
      endDeliveries(complete(webhookUrl), endpoints, CONTEXT).map(({ endpointId, url }) => [endpointId, url]);
    const registered = [ONE, TWO].map(({ id, url }) => [id, url]);
    assert.deepStrictEqual(targets(null, [ONE, TWO]), registered);
    assert.deepStrictEqual(targets(TWO.url, [ONE, TWO]), registered);
    const own = "https://example.com/own";
    assert.deepStrictEqual(targets(own, [ONE, TWO]), [...registered, [null, own]]);
    assert.deepStrictEqual(targets(null, []), []);
  });

  it("have an id derived from run and receiver", () => {
    const own = "https://example.com/own";
    const ids = () => endDeliveries(complete(own), [ONE, TWO], CONTEXT).map(({ id }) => id);
    assert.deepStrictEqual(ids(), ids());
    assert.lengthOf(new Set(ids()), 3);
    for (const id of ids()) assert.match(id, /^whd_[0-9a-f]{32}$/u);
  });

  it("are due at once, with all attempts left", () => {
    const [delivery] = endDeliveries(complete(), [ONE], CONTEXT);
    assert.deepInclude(delivery, {
      status: "pending",
      attemptCount: 0,
      attemptsLeft: 4,
      nextAttemptAtMs: CONTEXT.nowMs,
      createdAtMs: CONTEXT.nowMs
    });
  });
});

describe("a decision", () => {
  const written = (changes: Partial<Changes>) =>
    Result.getOrThrow(announced(Result.succeed({ value: "same", changes: { ...NO_CHANGES, ...changes } })));

  it("announces each run that it ends, settled or reused, and no other", () => {
    const running = sampleExtraction("acc_1", { status: "running" });
    const { value, changes } = written({ updated: [failed, running], inserted: [complete()] });
    assert.strictEqual(value, "same");
    assert.sameMembers(
      changes.deliveries.map(({ extractionId, endpointId }) => `${extractionId} ${endpointId}`),
      [`ext_1 whe_1`, `ext_1 whe_2`, `${failed.id} whe_1`, `${failed.id} whe_2`]
    );
    assert.deepStrictEqual(written({ updated: [running] }).changes.deliveries, []);
  });

  it("that writes nothing or is refused announces nothing", () => {
    const read = announced(Result.succeed(nothing(1)));
    assert.strictEqual(Result.getOrThrow(read).changes, NO_CHANGES);
    assert.deepStrictEqual(announced(Result.fail("no")), Result.fail("no"));
  });
});

describe("the test event", () => {
  it("names its endpoint and its time", () => {
    const endpoint = { id: "whe_1", accountId: "acc_1", url: ONE.url };
    const { event, extractionId, body } = testDelivery("whd_1", endpoint, CONTEXT.nowMs);
    const data = JSON.parse(body ?? "").data;
    assert.deepStrictEqual([event, extractionId], ["test", null]);
    assert.deepInclude(data, { endpointId: "whe_1", sentAt: "2023-11-14T22:13:23.000Z" });
    assert.isString(data.message);
  });
});
