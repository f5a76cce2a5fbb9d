import { assert, describe, it } from "@effect/vitest";
import { Unavailable } from "@winnow/core/ports/Unavailable";
import { faultOf } from "../../../src/storage/files/FileFault.ts";

const coded = (code: string): Error => Object.assign(new Error("/secret/path"), { code });

describe("a fault of the artifacts' disk", () => {
  it.each([
    ["ENOSPC", "full"],
    ["EDQUOT", "full"],
    ["EIO", "away"],
    ["ESTALE", "away"],
    ["EROFS", "away"]
  ])("passes, and is told by its code alone: %s", (code, reason) => {
    const fault = faultOf(coded(code));
    assert.instanceOf(fault, Unavailable);
    assert.deepStrictEqual([fault.what, fault.reason], ["artifacts", reason]);
    assert.include(fault.message, code);
    assert.notInclude(fault.message, "secret");
  });

  it("that no waiting ends is what it was", () => {
    for (const cause of [coded("EACCES"), coded("ENOENT"), new Error("no code")])
      assert.strictEqual(faultOf(cause), cause);
  });
});
