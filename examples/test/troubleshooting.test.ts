/** docs/troubleshooting.md has every error code and every reason of failure, as the code has them. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { FAILURE_REASONS, REMEDIES } from "@winnow/core/domain/Failure";
import { assert, describe, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");

describe("docs/troubleshooting.md", () => {
  it("has a section for every error code of the contract, and for no other", async () => {
    const page = await read("docs/troubleshooting.md");
    const document = await read("packages/server/openapi.json");
    const codes = [...document.matchAll(/"code": \{\s*"type": "string",\s*"enum": \[\s*"(\w+)"/gu)];
    const expected = [...new Set(codes.map(([, code]) => code))].toSorted();
    assert.include(expected, "insufficient_credits");
    const told = [...page.matchAll(/^### `(\w+)`$/gmu)].map(([, code]) => code);
    assert.deepStrictEqual(told.toSorted(), expected);
  });

  it("has every reason of failure, and whether trying again can help", async () => {
    const page = await read("docs/troubleshooting.md");
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (yes|no) +\|/gmu)].map(([, reason, again]) => [
      reason,
      again
    ]);
    const expected = FAILURE_REASONS.map((reason) => [reason, REMEDIES[reason].retryable ? "yes" : "no"]);
    assert.deepStrictEqual(rows, expected);
  });
});
