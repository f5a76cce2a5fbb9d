/** docs/troubleshooting.md has every error code and every failure reason of the code. */
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { CODES, type CodeRow } from "@winnow/core/domain/request/ErrorCodes";
import { REMEDIES } from "@winnow/core/domain/source/Failed";
import { assert, describe, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");

describe("docs/troubleshooting.md", () => {
  it("has a section for every error code, and for no other", async () => {
    const page = await read("docs/troubleshooting.md");
    const expected = Object.keys(CODES).toSorted();
    const told = [...page.matchAll(/^### `(\w+)`$/gmu)].map(([, code]) => code);
    assert.deepStrictEqual(told.toSorted(), expected);
  });

  it("names the reasons that the client knows, in the section of their code, and the client knows those", async () => {
    const page = await read("docs/troubleshooting.md");
    for (const [code, { reasons = "" }] of Object.entries(CODES as Readonly<Record<string, CodeRow>>)) {
      const [, section = ""] = new RegExp(`^### \`${code}\`\n(.*?)^##`, "msu").exec(page) ?? [];
      for (const reason of reasons.split(" ")) assert.include(section, reason, code);
      if (code === "invalid_request" || reasons === "") continue;
      const told = section.matchAll(/(?:^- |, |with |With )`([a-z_]+)`(?=[:;,])/gmu);
      for (const [, reason = ""] of told) assert.include(reasons.split(" "), reason, code);
    }
  });

  it("has every reason of a refusal", async () => {
    const pages = (await read("docs/troubleshooting.md")) + (await read("docs/schemas.md"));
    const files = [
      "core/src/{domain,engine}",
      "server/src/{routes,http}",
      "adapters/src/schema-check"
    ].flatMap((folder) => globSync(`packages/${folder}/**/*.ts`, { cwd: ROOT }));
    const sources = await Promise.all(files.map(read));
    const reasons = sources.flatMap((source) => [...source.matchAll(/\breason: "(\w+)"/gu)]);
    assert.isAbove(reasons.length, 30);
    for (const [, reason] of reasons) assert.include(pages, `\`${reason}\``);
  });

  it("has every reason of failure, and whether trying again can help", async () => {
    const page = await read("docs/troubleshooting.md");
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (yes|no) +\|/gmu)].map(([, reason, again]) => [
      reason,
      again
    ]);
    const expected = Object.entries(REMEDIES).map(([reason, { retryable }]) => [
      reason,
      retryable ? "yes" : "no"
    ]);
    assert.deepStrictEqual(rows, expected);
  });
});
