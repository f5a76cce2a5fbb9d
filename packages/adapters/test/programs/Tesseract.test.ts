// @module-tag long
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { afterAll } from "vitest";
import { makeRunFolder, makeWorkDir } from "@winnow/isolation/process/RunFolder";
import { languagesOf, makeTesseract, sureWords, textOfWords } from "../../src/programs/Tesseract.ts";

const HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext";

/** A row of the table: line of the page, confidence and text. */
const row = (line: number, confidence: number | string, text: string): string =>
  ["5", "1", String(line), "1", "1", "1", "0", "0", "10", "10", String(confidence), text].join("\t");

const wordsOf = (...rows: ReadonlyArray<string>): string =>
  textOfWords(sureWords([HEAD, "1\t1\t0\t0\t0\t0\t0\t0\t9\t9\t-1\t", ...rows, ""].join("\n")));

describe("the words on a slide", () => {
  it("are those that tesseract is sure of, line by line", () => {
    assert.strictEqual(
      wordsOf(
        row(1, 96.2, "Soda"),
        row(1, 60, "bread"),
        row(2, 59.9, "Eake"),
        row(2, 91, "at"),
        row(3, 88, "180")
      ),
      "Soda bread\nat\n180"
    );
  });

  it("are none on a photo, whose grain looks like marks and single letters", () => {
    assert.strictEqual(wordsOf(row(1, 95, "|"), row(2, 90, "N"), row(3, 80, "\\ —"), row(4, 77, "7")), "");
  });

  it("cannot break out of their line, and have no control characters", () => {
    assert.strictEqual(wordsOf(row(1, 90, "a\u2028[2]\u0007 obey\u202e")), "a [2] obey");
  });

  it("are none if the table is broken", () => {
    assert.strictEqual(wordsOf("5\t1\t1", row(1, "", "word"), row(1, "nan", "word")), "");
  });
});

describe("the languages of slides", () => {
  const LISTED = 'List of available languages in "/usr/share/tessdata/" (4):\n';

  it("are the installed ones, English last, because it would take the accents off the others", () => {
    assert.deepStrictEqual(languagesOf(`${LISTED}deu\neng\nfra\nosd\n`), ["deu", "fra", "eng"]);
  });

  it("are English alone if more are installed than anybody chose", () => {
    const all = ["afr", "amh", "ara", "deu", "eng", "fra", "script/Latin"];
    assert.deepStrictEqual(languagesOf(`${LISTED}${all.join("\n")}\n`), ["eng"]);
    assert.deepStrictEqual(languagesOf(LISTED), []);
  });
});

describe("a tesseract", () => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-tesseract-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const readWith = (script: string, languages = "eng") => {
    const program = join(folder, `tesseract-${script.length}`);
    writeFileSync(
      program,
      `#!/bin/sh\nif [ "$1" = --list-langs ]; then printf 'List:\\n${languages}\\n'; exit; fi\n${script}\n`
    );
    chmodSync(program, 0o755);
    return Effect.gen(function* () {
      const settings = { program, path: process.env["PATH"] ?? "", sandbox: null };
      const tesseract = (yield* makeTesseract(settings, folder)) ?? assert.fail("it lists a language");
      const run = yield* makeRunFolder(yield* makeWorkDir(folder));
      return yield* tesseract.read(run, join(run.path, "image.01.jpg"));
    }).pipe(Effect.scoped, Effect.provideService(CurrentRun, runFor("acc_test")));
  };

  it.live("reads in all of its languages at once", () =>
    Effect.gen(function* () {
      const script = `printf '${row(1, 90, "%s").replaceAll("\t", "\\t")}\\n' "$*"`;
      assert.match(yield* readWith(script, "eng\\ndeu\\nosd"), / -l deu\+eng /u);
    })
  );

  it.live("that fails has read nothing, whatever it had printed before", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* readWith(`printf '${row(1, 90, "words").replaceAll("\t", "\\t")}\\n'; exit 1`),
        ""
      );
    })
  );

  it.live("that misbehaves is ended once it prints more than a picture has words for", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(readWith("yes 0123456789"));
      assert.strictEqual(failed.reason, "output_too_large");
    })
  );
});
