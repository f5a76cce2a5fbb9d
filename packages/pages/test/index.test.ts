// @module-tag long
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert, describe, it } from "@effect/vitest";

const run = promisify(execFile);

const FILES = [
  "select/blocks/golden/article.html",
  "documents/libreoffice/report.pdf",
  "documents/libreoffice/report.docx"
];

/** Plain Node, in which Effect cannot be found. */
const PROGRAM = `
  import { readFile } from "node:fs/promises";
  import { registerHooks } from "node:module";
  registerHooks({
    resolve: (specifier, context, next) => {
      if (/^(?:@effect\\/|effect(?:\\/|$))/u.test(specifier)) throw new Error(context.parentURL + " imports " + specifier);
      return next(specifier, context);
    }
  });
  const { readPage } = await import("@winnow/pages");
  const titles = [];
  for (const file of process.argv.slice(1)) {
    const source = { url: "https://site.test/posts/42", contentType: null };
    titles.push((await readPage(await readFile("test/" + file), source)).metadata.title);
  }
  console.log(JSON.stringify(titles));`;

describe("readPage of this package", () => {
  it("reads a page, a PDF and a DOCX without Effect", async () => {
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", PROGRAM, ...FILES], {
      cwd
    });
    assert.deepStrictEqual(JSON.parse(stdout), [
      "The mill that waited",
      "The village bakery",
      "The village bakery"
    ]);
  });
});
