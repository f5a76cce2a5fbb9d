// @module-tag long
import { onPath } from "@winnow/isolation/sandbox/programFiles";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import type { DownloadLimits } from "../../src/sources/DownloadLimits.ts";
import { downloaderOf, NO_MEDIA, openSite, runFolders, temporaryFolder } from "./harness.ts";
import { fetch, inspect, textOf } from "./outcomes/outcome.ts";

const site = await openSite();
const workDir = temporaryFolder();

const scan = (query = ""): string => `${site.url}/documents/scan.pdf${query}`;

const withTesseract = (tesseract?: string, limits: Partial<DownloadLimits> = {}) =>
  Effect.provide(downloaderOf(site, workDir, { programs: { ytDlp: NO_MEDIA, tesseract }, limits }), {
    local: true
  });

/** A tesseract that reads the same word of each picture, `before` which it does something else. */
const readerOf = (before: string): string => {
  const program = join(temporaryFolder(), "tesseract");
  const row = ["5", 1, 1, 1, 1, 1, 0, 0, 9, 9, 96, "word"].join("\\t");
  const script = `if [ "$1" = --list-langs ]; then printf 'List:\\neng\\n'; exit; fi\n${before}\nprintf '${row}\\n'`;
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
};

const WORDS = /Soda bread\s+Bake at 180 degrees\s+for 45 minutes\./u;

describe("A scanned document", () => {
  it.effect.skipIf(onPath("tesseract", process.env["PATH"] ?? "") === null)(
    "has the words on its pictures, also of pages that the file turns or that lie on a side, in place beside the text that is there",
    () =>
      Effect.gen(function* () {
        const fetched = yield* fetch(scan());
        const [typed, first = "", turned = "", aside = "", end] = textOf(fetched, "transcript.txt").split(
          "\f"
        );
        assert.strictEqual(typed, "A claim that is typed.\n");
        assert.match(first, WORDS);
        assert.match(turned, WORDS);
        assert.match(aside, WORDS);
        assert.strictEqual(end, "\n");
        assert.match(textOf(fetched, "page.md"), /<!-- page 2 -->\n\n# Soda bread\n\nBake at/u);
        assert.deepStrictEqual(
          fetched.sections?.map(({ page, readBy }) => [page, readBy]),
          [
            [1, undefined],
            [2, "ocr"],
            [3, "ocr"],
            [4, "ocr"]
          ]
        );
        assert.deepStrictEqual([fetched.facts.kind, fetched.warnings], ["webpage", []]);
        const left = runFolders(workDir).flatMap((folder) => readdirSync(folder));
        assert.notInclude(left.join(), "scan.");
      }).pipe(withTesseract())
  );

  it.effect("has the words of as many scanned pages as a run may read, and says how many it has", () =>
    Effect.gen(function* () {
      const fetched = yield* fetch(scan("?first=3&more=4"));
      assert.deepStrictEqual(fetched.warnings, ["Only the first 3 of 6 scanned pages were read."]);
      const pages = textOf(fetched, "transcript.txt").split("\f");
      assert.deepStrictEqual(pages, ["word\n", "word\n", "word\n", "\n", "\n", "\n", "\n"]);
    }).pipe(withTesseract(readerOf(""), { scannedPagesMax: 3 }))
  );

  it.effect("may be as large as a reader of pages takes, such as a picture that nobody has packed", () =>
    Effect.gen(function* () {
      assert.match(textOf(yield* fetch(scan("?first=4&large")), "transcript.txt"), /^word\n/u);
    }).pipe(withTesseract(readerOf("")))
  );

  it.effect("says which pages could not be read, and fails if there is no word on any", () =>
    Effect.gen(function* () {
      const fetched = yield* fetch(scan("?first=1&more=1"));
      assert.deepStrictEqual(fetched.warnings, ["The words on 4 scanned pages could not be read."]);
      assert.strictEqual(textOf(fetched, "transcript.txt"), "A claim that is typed.\n\f\n\f\n\f\n\f\n\f\n");
      const failure = yield* Effect.flip(fetch(scan("?first=2")));
      assert.strictEqual(failure.reason, "not_extractable");
      assert.match(failure.message, /no words could be read/u);
    }).pipe(withTesseract(readerOf("kill -9 $$")))
  );

  it.effect("is read no longer than its share of processor time, even if pages need it all for ever", () =>
    Effect.gen(function* () {
      const fetched = yield* fetch(scan("?first=1&more=56"));
      assert.deepStrictEqual(fetched.warnings, ["The words on 59 scanned pages could not be read."]);
      assert.match(textOf(fetched, "transcript.txt"), /^A claim that is typed\./u);
    }).pipe(withTesseract(readerOf("while :; do :; done"), { scansProcessorMsMax: 1_000 }))
  );

  it.effect("keeps its text if it is gone when its scans are to be read, and fails without any", () =>
    Effect.gen(function* () {
      const fetched = yield* fetch(scan("?once"));
      assert.deepStrictEqual(fetched.warnings, ["The words on 3 scanned pages could not be read."]);
      assert.match(textOf(fetched, "transcript.txt"), /^A claim that is typed\./u);
      assert.strictEqual((yield* Effect.flip(fetch(scan("?once&first=2")))).reason, "removed");
    }).pipe(withTesseract(readerOf("")))
  );

  it.live("is asked for again if its source is busy when its scans are to be read", () =>
    Effect.gen(function* () {
      const fetched = yield* fetch(scan("?busy"));
      assert.deepStrictEqual(fetched.warnings, []);
      assert.strictEqual(
        textOf(fetched, "transcript.txt"),
        "A claim that is typed.\n\fword\n\fword\n\fword\n\f\n"
      );
    }).pipe(withTesseract(readerOf(""), { lookupRetryMs: 1 }))
  );

  it.effect("is fetched from its own address if that which it led to is over", () =>
    Effect.gen(function* () {
      const fetched = yield* fetch(`${site.url}/documents/signed.pdf`);
      assert.match(textOf(fetched, "transcript.txt"), /^word\n/u);
    }).pipe(withTesseract(readerOf("")))
  );

  it.effect("needs tesseract, which a failure or warning names where it is missing", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(inspect(scan("?first=2")));
      assert.strictEqual(failure.reason, "not_extractable");
      assert.match(failure.hint ?? "", /install tesseract/u);
      const fetched = yield* fetch(scan());
      assert.strictEqual(textOf(fetched, "transcript.txt"), "A claim that is typed.\n\f\n\f\n\f\n\f\n");
      assert.deepStrictEqual(fetched.warnings, [
        "This server has no tesseract: 3 scanned pages of the document were not read."
      ]);
    }).pipe(withTesseract("off"))
  );
});
