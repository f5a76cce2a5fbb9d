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
    ["settings/", "settings/usage"]
  ])("leads on: %s", (from, to) => {
    assert.strictEqual(movedTo(from), to);
    assert.isNull(movedTo(to));
  });

  it("is no other one", () => {
    for (const screen of ["", "new", "batches/bat_1", "runs/ext_1", "settings/usage", "nowhere/keys"])
      assert.isNull(movedTo(screen), screen);
  });
});
