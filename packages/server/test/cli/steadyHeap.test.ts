import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert, describe, it } from "vitest";

const CHURN = fileURLToPath(new URL("churn.ts", import.meta.url));

const collectionsOf = async (...args: ReadonlyArray<string>): Promise<number> =>
  Number((await promisify(execFile)(process.execPath, [CHURN, ...args])).stdout);

describe("the heap of a server", () => {
  it("is collected before garbage outgrows what is alive, at least twice as often as V8 would", async () => {
    const [usual, steady] = [await collectionsOf(), await collectionsOf("steady")];
    assert.isAbove(usual, 0);
    assert.isAtLeast(steady, 2 * usual);
  });
});
