/** docs/troubleshooting.md has every error code and every failure reason of the code. */
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { FAILURE_REASONS, REMEDIES } from "@winnow/core/domain/source/Failed";
import { assert, describe, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");

interface JsonSchema {
  readonly enum?: ReadonlyArray<string>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

interface Answer {
  readonly $ref?: string;
  readonly content?: unknown;
}

interface Document {
  readonly paths: Readonly<Record<string, Record<string, { readonly responses?: Record<string, Answer> }>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

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

  it("names every status of its code", async () => {
    const page = await read("docs/troubleshooting.md");
    const { paths, components } = JSON.parse(await read("packages/server/openapi.json")) as Document;
    const statuses = new Map<string, Set<string>>();
    for (const operation of Object.values(paths).flatMap((each) => Object.values(each))) {
      for (const [status, answer] of Object.entries(operation.responses ?? {})) {
        const { content } = components.responses[answer.$ref?.split("/").at(-1) ?? ""] ?? answer;
        const refs = JSON.stringify(content ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/gu);
        for (const [, name = ""] of refs) {
          const [code] = components.schemas[name]?.properties?.error?.properties?.code?.enum ?? [];
          if (code !== undefined) statuses.set(code, (statuses.get(code) ?? new Set()).add(status));
        }
      }
    }
    assert.isAtLeast(statuses.size, 10);
    for (const [code, codes] of statuses) {
      const [, told = ""] = new RegExp(`^### \`${code}\`\n\n([^.]+)\\.`, "mu").exec(page) ?? [];
      for (const status of codes) assert.include(told, status, code);
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
    const expected = FAILURE_REASONS.map((reason) => [reason, REMEDIES[reason].retryable ? "yes" : "no"]);
    assert.deepStrictEqual(rows, expected);
  });
});
