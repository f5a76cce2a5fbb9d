import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, assert, describe, it } from "vitest";
import { exportsOf } from "../reference/declarations.ts";
import { componentSection, typeOf } from "../reference/schemaMarkdown.ts";

const folder = mkdtempSync(path.join(tmpdir(), "winnow-reference-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  const target = path.join(folder, name);
  writeFileSync(target, text);
  return target;
};

describe("exportsOf", () => {
  it("follows re-exports, under their exported name", () => {
    file("inner.d.ts", "export interface Inner {\n    readonly a: string;\n}\nexport interface Kept {\n}\n");
    const outer = file("outer.d.ts", 'export { type Inner as Outer } from "./inner.ts";\n');
    const [only, ...rest] = exportsOf(outer);
    assert.strictEqual(only?.name, "Outer");
    assert.strictEqual(only?.declaration, "interface Inner {\n  readonly a: string;\n}");
    assert.deepStrictEqual(rest, []);
  });

  it("removes private members with their comments, and keeps comments of public ones", () => {
    const text = [
      "/** What it is, see {@link Other}. */",
      "export declare class Thing {",
      "    /** Hidden. */",
      "    private readonly secret;",
      "    /** Shown. */",
      "    open(): void;",
      "}",
      ""
    ].join("\n");
    const [thing] = exportsOf(file("thing.d.ts", text));
    assert.strictEqual(thing?.comment, "What it is, see `Other`.");
    assert.strictEqual(thing?.declaration, "class Thing {\n  /** Shown. */\n  open(): void;\n}");
  });
});

describe("schemas as Markdown", () => {
  it("describes types and links components", () => {
    assert.strictEqual(typeOf({ $ref: "#/components/schemas/Price" }), "[Price](#price)");
    assert.strictEqual(typeOf({ anyOf: [{ type: "string" }, { type: "null" }] }), "string or null");
    assert.strictEqual(typeOf({ type: "integer", minimum: 1, maximum: 100 }), "integer, 1 to 100");
    assert.strictEqual(typeOf({ type: "array", items: { type: "string" } }), "list of string");
  });

  it("lists nested members, and escapes cell separators", () => {
    const section = componentSection("Body", {
      required: ["error"],
      properties: { error: { type: "object", properties: { code: { type: "string", description: "a|b" } } } }
    });
    assert.include(section, "| `error` | object |");
    assert.include(section, "| `error.code`, optional | string | a\\|b |");
  });
});
