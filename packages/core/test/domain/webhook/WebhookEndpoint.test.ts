import { assert, describe, it } from "@effect/vitest";
import { sampleDelivery, sampleEndpoint } from "@winnow/testing/samples/webhookSteps";
import { receiverOf } from "../../../src/domain/webhook/WebhookDelivery.ts";
import { afterOutcome, FAILING_MS_MAX, isSameReceiver } from "../../../src/domain/webhook/WebhookEndpoint.ts";

describe("a receiver", () => {
  it("is the same in every spelling that reaches it", () => {
    const registered = "https://hooks.example/in?a=1";
    const spelled = [
      "https://HOOKS.example:443/in?a=1",
      "https://hooks.example./in?a=1",
      `${registered}#part`
    ];
    for (const url of spelled) assert.isTrue(isSameReceiver(url, registered), url);
    for (const url of ["https://hooks.example/in", "https://hooks.example/IN?a=1", "hooks", ""])
      assert.isFalse(isSameReceiver(url, registered), url);
  });

  it("of a run is its URL without parameters, for each account, and else the endpoint", () => {
    const of = (account: string, url: string, endpointId: string | null = null) =>
      receiverOf(sampleDelivery(account, { url, endpointId }));
    assert.strictEqual(of("acc_1", "https://a.example/x?n=1#b"), of("acc_1", "https://a.example/x?n=2"));
    assert.notStrictEqual(of("acc_1", "https://a.example/x"), of("acc_2", "https://a.example/x"));
    assert.notStrictEqual(of("acc_1", "https://a.example/x"), of("acc_1", "https://a.example/y"));
    assert.strictEqual(of("acc_1", "https://a.example/x", "whe_1"), "whe_1");
  });

  it("that was disabled stays so since then, whatever fails later", () => {
    const failing = sampleEndpoint("acc_1", { failingSinceMs: 0 });
    const failed = { arrived: false, ended: true };
    const disabled = afterOutcome(failing, { ...failed, atMs: FAILING_MS_MAX });
    assert.strictEqual(disabled.disabledAtMs, FAILING_MS_MAX);
    for (const ended of [true, false]) {
      const later = afterOutcome(disabled, { ...failed, ended, atMs: FAILING_MS_MAX + 1 });
      assert.strictEqual(later.disabledAtMs, FAILING_MS_MAX);
    }
  });
});
