/** docs/schemas.md lists the predefined schemas. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { PREDEFINED } from "@winnow/core/domain/json-schema/Predefined";
import { assert, it } from "vitest";

it("docs/schemas.md has every predefined schema by its name", async () => {
  const page = await readFile(path.resolve(import.meta.dirname, "../../docs/schemas.md"), "utf8");
  const [, after = ""] = page.split("\n## Predefined schemas\n");
  const [section = ""] = after.split("\n## ");
  const told = [...section.matchAll(/^\| `([\w-]+)`/gmu)].map(([, name]) => name);
  const names = [...PREDEFINED.values()].map(({ name }) => name);
  assert.deepStrictEqual(told.toSorted(), names.toSorted());
});
