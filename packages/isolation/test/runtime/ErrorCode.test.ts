import { rejects } from "node:assert/strict";
import { assert, describe, it } from "@effect/vitest";
import { codeOf, toleratingCodes } from "../../src/runtime/ErrorCode.ts";

const coded = (code: string): Error => Object.assign(new Error(code), { code });

describe("the code of an error", () => {
  it("is empty for whatever has none", () => {
    assert.strictEqual(codeOf(coded("ENOENT")), "ENOENT");
    for (const thrown of [undefined, null, "ENOENT", new Error("ENOENT"), { code: 2 }])
      assert.strictEqual(codeOf(thrown), "");
  });

  it("may be tolerated, and no other is", async () => {
    const tolerated = toleratingCodes("ENOENT", "EEXIST");
    assert.isUndefined(await Promise.reject(coded("EEXIST")).catch(tolerated));
    await rejects(Promise.reject(coded("EACCES")).catch(tolerated), { code: "EACCES" });
  });
});
