// @module-tag smoke: its own process, documents that take minutes and all memory
import { inRun } from "@winnow/testing/samples/samples";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { assert, describe, it, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Result from "effect/Result";
import * as TestClock from "effect/testing/TestClock";
import {
  layer as pooled,
  PageReader,
  PageUnreadable,
  readPage
} from "../../../src/sources/page-reader/index.ts";
import { descendants } from "@winnow/isolation/test/descendants";
import { longestTurnMs } from "@winnow/isolation/test/worker/LongestTurn";
import { HOSTILE_DOCUMENTS } from "@winnow/pages/test/hostileDocuments";
import { grayPicture, PAGE_HEIGHT, PAGE_WIDTH, scannedPdf } from "@winnow/pages/test/scans";
import { page, PAGE_URL, paragraphs } from "@winnow/pages/test/pages";

const source = { url: PAGE_URL, contentType: "text/html; charset=utf-8" };
const bytesOf = (html: string): Uint8Array => new TextEncoder().encode(html);
const ARTICLE = bytesOf(page({ head: "<title>Bread</title>", body: `<article>${paragraphs(6)}</article>` }));

const SCAN = scannedPdf([{ pictures: [{ picture: grayPicture(8, 8, () => 0) }] }]);

/** Processes that read pages, with the sandboxes around them. */
const readers = (): ReadonlyArray<string> =>
  descendants().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("PageWorker");
    } catch {
      return false;
    }
  });

/** In `npm run test:faults`; otherwise without the documents that occupy a reader for longest. */
const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined;
const LONGEST = new Set([
  "PDF with encodings of huge ranges",
  "PDF with character maps in another encoding",
  "PDF whose content is a bomb in another encoding",
  "PDF of forms within forms"
]);

/** Within the limits of the tree, but Readability needs more than a minute for it. */
const SLOW = bytesOf(
  page({
    head: "<title>Slow</title>",
    body: `${"<div>".repeat(380)}<p>text ${"</div>".repeat(380)}`.repeat(120)
  })
);

const HOSTILE: Readonly<Record<string, string>> = {
  "50,000 nested elements": `${"<div>".repeat(50_000)}end`,
  "5,000 nested formatting elements": `${"<b><i>".repeat(5_000)}end`,
  "5,000 nested tables": `${"<table><tr><td>".repeat(5_000)}end`,
  "50,000 attributes": `<div ${Array.from({ length: 50_000 }, (_, index) => `a${index}=1`).join(" ")}>end</div>`,
  "200,000 unclosed paragraphs": `${"<p>x".repeat(200_000)}<p>end`,
  "100,000 links": `${Array.from({ length: 100_000 }, (_, index) => `<a href=/${index}>l</a> `).join("")}<p>end`,
  "a script of brackets": `<script type="application/ld+json">${"[".repeat(1_000_000)}</script><p>end`,
  "a class of many words": `<div class="${"date ".repeat(500_000)}">end</div>`
};

layer(inRun(pooled), { excludeTestServices: true })("PageReader", (it) => {
  it.effect("reads a page in a worker", () =>
    Effect.gen(function* () {
      const { read } = yield* PageReader;
      const reading = yield* read(ARTICLE, source);
      assert.strictEqual(reading.metadata.title, "Bread");
      assert.include(reading.text.plain, "Part 6.");
      assert.isAbove(ARTICLE.byteLength, 0, "the bytes stay the caller's");
    })
  );

  it.effect("draws a page of a PDF in a worker, which one that is not there ends", () =>
    Effect.gen(function* () {
      const { draw, read } = yield* PageReader;
      const { dotsPerInch, graymap } = yield* draw(SCAN, 1);
      const head = `P5\n${(PAGE_WIDTH / 72) * dotsPerInch} ${(PAGE_HEIGHT / 72) * dotsPerInch}\n`;
      assert.strictEqual(Buffer.from(graymap).toString("latin1", 0, head.length), head);
      assert.strictEqual((yield* Effect.flip(draw(SCAN, 2))).reason, "crashed");
      assert.strictEqual((yield* read(ARTICLE, source)).metadata.title, "Bread");
    })
  );

  for (const [name, html] of Object.entries(HOSTILE)) {
    it.effect(`reads ${name} within its limits and leaves this thread free`, () =>
      Effect.gen(function* () {
        const { read } = yield* PageReader;
        const reading = read(bytesOf(page({ body: html })), source);
        const { exit, longest } = yield* longestTurnMs(reading);
        assert.include((yield* exit).text.plain, "end");
        assert.isBelow(longest, 500);
      })
    );
  }

  for (const [kind, documentOf] of Object.entries(HOSTILE_DOCUMENTS)) {
    it.effect.skipIf(!isWhole && LONGEST.has(kind))(
      `survives a ${kind}, whose size or time is the reason if it is not read`,
      () =>
        Effect.gen(function* () {
          const { draw, read } = yield* PageReader;
          const { bytes, contentType } = documentOf(9);
          const result = yield* Effect.result(read(bytes, { url: PAGE_URL, contentType }));
          if (Result.isFailure(result)) assert.include(["too_large", "timeout"], result.failure.reason);
          assert.strictEqual((yield* read(ARTICLE, source)).metadata.title, "Bread");
          const scan = yield* read(SCAN, { url: PAGE_URL, contentType: "application/pdf" });
          assert.deepStrictEqual(scan.text.scannedPages, [1]);
          yield* draw(SCAN, 1);
        })
    );
  }

  it.effect("refuses a PDF whose character maps would fill all memory before it maps any", () =>
    Effect.gen(function* () {
      const { read } = yield* PageReader;
      for (const kind of [
        "character maps of huge ranges",
        "a cross-reference stream of entries without bytes"
      ]) {
        const { bytes, contentType } = HOSTILE_DOCUMENTS[`PDF with ${kind}`]?.(9) ?? assert.fail(kind);
        const idle = readers();
        const failure = yield* Effect.flip(read(bytes, { url: PAGE_URL, contentType }));
        assert.strictEqual(failure.reason, "too_large");
        assert.deepStrictEqual(readers(), idle, "its worker goes on");
      }
    })
  );

  it.effect("reads pages that occupy other extractors for minutes", () =>
    Effect.gen(function* () {
      const { read } = yield* PageReader;
      const slow = yield* read(SLOW, source);
      assert.strictEqual(slow.metadata.title, "Slow");
      assert.include(slow.text.plain, "text");
    })
  );

  it.effect("reads many pages at once with few workers", () =>
    Effect.gen(function* () {
      const { read } = yield* PageReader;
      const titles = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) => read(bytesOf(page({ head: `<title>Number ${index}</title>` })), source),
        { concurrency: "unbounded" }
      );
      assert.deepStrictEqual(
        titles.map(({ metadata: { title } }) => title),
        Array.from({ length: 20 }, (_, index) => `Number ${index}`)
      );
    })
  );

  it.effect("stops at once when interrupted, and continues with others", () =>
    Effect.gen(function* () {
      const { read } = yield* PageReader;
      yield* read(ARTICLE, source);
      const idle = readers();
      const fiber = yield* Effect.forkChild(read(SLOW, source));
      yield* Effect.yieldNow;
      yield* Fiber.interrupt(fiber);
      assert.isBelow(readers().length, idle.length);
      assert.strictEqual((yield* read(ARTICLE, source)).metadata.title, "Bread");
    })
  );

  it.effect("refuses oversized input before a worker sees it", () =>
    Effect.gen(function* () {
      const { read } = yield* PageReader;
      const failure = yield* Effect.flip(read(new Uint8Array(20_000_001), source));
      assert.strictEqual(failure.reason, "too_large");
    })
  );

  it.effect("reports why a page could not be read", () =>
    Effect.gen(function* () {
      const { read } = yield* PageReader;
      assert.strictEqual((yield* Effect.flip(read(bytesOf(""), source))).reason, "empty");
      const damaged = yield* Effect.flip(
        read(bytesOf("%PDF-1.7"), { url: PAGE_URL, contentType: "application/pdf" })
      );
      assert.strictEqual(damaged.reason, "damaged");
    })
  );
});

describe("a page that has not even been scanned in time", () => {
  it.effect("fails with timeout, and the next one is read", () =>
    Effect.gen(function* () {
      const { read } = yield* PageReader;
      const failure = yield* Effect.raceFirst(
        Effect.flip(read(SLOW, source)),
        Effect.forever(TestClock.adjust("5 seconds"))
      );
      assert.strictEqual(failure.reason, "timeout");
      assert.strictEqual((yield* read(ARTICLE, source)).metadata.title, "Bread");
    }).pipe(Effect.provide(inRun(pooled)))
  );
});

describe("the time of a reading", () => {
  it.effect("is processor time: a worker that waits for its turn has not used it", () =>
    Effect.gen(function* () {
      const { read } = yield* PageReader;
      // The clock advances by a second in every turn of this thread, and still the page is read.
      const seconds = Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.andThen(Effect.yieldNow, TestClock.adjust("1 second"))
      );
      const reading = yield* Effect.raceFirst(read(ARTICLE, source), Effect.andThen(seconds, Effect.never));
      assert.strictEqual(reading.metadata.title, "Bread");
    }).pipe(Effect.provide(inRun(pooled)))
  );
});

describe("readPage", () => {
  it("returns the reading as a promise", async () => {
    assert.strictEqual((await readPage(ARTICLE, source)).metadata.title, "Bread");
  });

  it("rejects with the reason", async () => {
    const failure = await readPage(bytesOf(""), source).catch((error: unknown) => error);
    assert.instanceOf(failure, PageUnreadable);
    assert.strictEqual((failure as PageUnreadable).reason, "empty");
  });

  it("does not keep a process alive", async () => {
    const script =
      `import { readPage } from ${JSON.stringify(new URL("../../../src/sources/page-reader/index.ts", import.meta.url).href)};` +
      `const { metadata } = await readPage(new TextEncoder().encode("<title>Bread</title>"), ${JSON.stringify(source)});` +
      `console.log(metadata.title);`;
    const child = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
      timeout: 120_000
    });
    assert.strictEqual((await child).stdout, "Bread\n");
  });
});
