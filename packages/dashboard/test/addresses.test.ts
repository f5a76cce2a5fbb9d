import { assert, describe, it } from "vitest";
import { movedTo } from "../src/data/addresses.ts";

describe("an address that the app had before", () => {
  it.each([
    ["batches", ""],
    ["batches/new", "new"],
    ["workbench", "schemas/new"],
    ["keys", "developers/keys"],
    ["webhooks", "developers/webhooks"],
    ["deliveries/dlv_1", "developers/webhooks?delivery=dlv_1"],
    ["billing", "settings/usage"],
    ["account", "settings/account"],
    ["settings/", "settings/usage"],
    ["batches/new/", "new"],
    ["deliveries/dlv_1/", "developers/webhooks?delivery=dlv_1"]
  ])("leads on: %s", (from, to) => {
    assert.strictEqual(movedTo(from), to);
    assert.isNull(movedTo(to));
  });

  it("keeps its query", () => {
    assert.strictEqual(movedTo("deliveries/d1", "?x=1"), "developers/webhooks?delivery=d1&x=1");
    assert.strictEqual(movedTo("workbench", "?from=ext_1"), "schemas/new?from=ext_1");
  });

  it("is no other one", () => {
    for (const screen of ["", "new", "batches/bat_1", "runs/ext_1", "settings/usage", "nowhere/keys"])
      assert.isNull(movedTo(screen), screen);
  });
});
