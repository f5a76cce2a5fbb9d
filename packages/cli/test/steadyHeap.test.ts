// @module-tag long
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert, describe, it } from "vitest";

const CHURN = fileURLToPath(new URL("churn.ts", import.meta.url));

/** Fixed, because V8 derives the defaults from the machine's memory. */
const LIMITS = ["--max-semi-space-size=16", "--max-old-space-size=2048"];

const collectionsOf = async (...args: ReadonlyArray<string>): Promise<number> =>
  Number((await promisify(execFile)(process.execPath, [...LIMITS, CHURN, ...args])).stdout);

describe("the heap of a server", () => {
  it("is collected before garbage outgrows live objects, at least twice as often as by default", async () => {
    const [usual, steady] = [await collectionsOf(), await collectionsOf("steady")];
    assert.isAbove(usual, 0);
    assert.isAtLeast(steady, 2 * usual);
  });
});
