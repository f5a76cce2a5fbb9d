/**
 * Every number of docs/pricing.md and of the example in docs/schemas.md, compared with the function that bills.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Modality } from "@winnow/core/domain/source/Modality";
import { effectiveFacts, price, settlementRefund } from "@winnow/core/domain/money/Pricing";
import type { Selection } from "@winnow/core/domain/request/RunRequest";
import type { PricedFacts } from "@winnow/core/domain/source/SourceFacts";
import { readRequest } from "@winnow/core/domain/run/SubmitBody";
import { captionsEndSeconds } from "@winnow/core/domain/transcript/Transcript";
import * as Result from "effect/Result";
import { DEFAULT_RATES } from "@winnow/core/domain/money/Rates";
import { assert, describe, it } from "vitest";

const page = (name: string): Promise<string> =>
  readFile(path.resolve(import.meta.dirname, "../../docs", name), "utf8");

/** Rows of the table under a heading, without its header and delimiter. */
const rowsUnder = async (name: string, heading: string): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const [, after = ""] = (await page(name)).split(`\n## ${heading}\n`);
  const [own = ""] = after.split("\n## ");
  return own
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim())
    );
};

const factsOf = (words: string): PricedFacts => {
  const [, seconds] = /^video of (\d+) s$/u.exec(words) ?? [];
  if (seconds !== undefined) return { kind: "video", durationMs: Number(seconds) * 1_000, imageCount: 0 };
  const [, slides] = /^photo post of (\d+) slides$/u.exec(words) ?? [];
  if (slides !== undefined) return { kind: "photos", durationMs: null, imageCount: Number(slides) };
  if (words === "webpage") return { kind: "webpage", durationMs: null, imageCount: 0 };
  assert.strictEqual(words, "video of unknown length");
  return { kind: "video", durationMs: null, imageCount: 0 };
};

const selectionOf = (code: string): Selection => {
  const body = { url: "https://example.com/", ...(JSON.parse(code.replaceAll("`", "")) as object) };
  return Result.getOrThrow(readRequest(body, { ai: true, speech: true }));
};

const sumOf = (words: string): number =>
  words.split("+").reduce((sum, term) => sum + Math.round(Number(term) * 10), 0) / 10;

describe("docs/pricing.md", () => {
  it("has the sums and prices that are billed", async () => {
    const rows = await rowsUnder("pricing.md", "Worked numbers");
    assert.isAbove(rows.length, 10);
    for (const [url = "", body = "", sum = "", credits] of rows) {
      const billed = price(factsOf(url), selectionOf(body), DEFAULT_RATES);
      assert.strictEqual(String(billed.credits), credits, `${url} ${body}`);
      assert.strictEqual(Math.ceil(sumOf(sum)), billed.credits, sum);
    }
  });

  it("has the refunds of the settlement", async () => {
    const rows = await rowsUnder("pricing.md", "What comes back");
    assert.isAbove(rows.length, 3);
    for (const [url = "", body = "", there = "", debited, refunded] of rows) {
      const atSubmit = factsOf(url);
      const selection = selectionOf(body);
      const debit = price(atSubmit, selection, DEFAULT_RATES).credits;
      assert.strictEqual(String(debit), debited, `${url} ${body}`);
      const [, seconds] = /^(\d+) s$/u.exec(there) ?? [];
      const notFound = there.startsWith("no ") ? there.slice("no ".length).split(", ") : [];
      const [, endSeconds] = /^captions until ([\d.]+) s$/u.exec(there) ?? [];
      assert.isTrue([seconds, endSeconds].some((each) => each !== undefined) || notFound.length > 0, there);
      const last = { startSeconds: 0, endSeconds: Number(endSeconds ?? 0), text: "The last one." };
      const captionsMs = endSeconds === undefined ? null : (captionsEndSeconds([last]) ?? 0) * 1_000;
      const measuredMs = seconds === undefined ? null : Number(seconds) * 1_000;
      const modalities = selection.modalities.filter((each: Modality) => !notFound.includes(each));
      const refund = settlementRefund(
        debit,
        effectiveFacts(atSubmit, atSubmit, measuredMs, captionsMs),
        {
          mode: selection.mode,
          modalities
        },
        DEFAULT_RATES
      );
      assert.strictEqual(String(refund), refunded, `${url} ${body} ${there}`);
    }
  });
});

describe("docs/schemas.md", () => {
  it("has the prices of the steps of auto mode", async () => {
    const text = await page("schemas.md");
    const facts = factsOf("video of 213 s");
    const steps: ReadonlyArray<readonly [string, ReadonlyArray<Modality>]> = [
      ["transcript, comments", ["transcript", "comments"]],
      ["+ audio", ["transcript", "comments", "audio"]],
      ["+ audio, video", ["transcript", "comments", "audio", "video"]]
    ];
    const prices = steps.map(([words, modalities]) => {
      const { credits } = price(facts, { mode: "ai", modalities }, DEFAULT_RATES);
      assert.match(
        text,
        new RegExp(`^\\| ${words.replaceAll("+", String.raw`\+`)} +\\| ${credits} +\\|`, "mu")
      );
      return credits;
    });
    const [, second = 0, dearest = 0] = prices;
    assert.include(text, `Submit debits ${dearest}; the second step`);
    assert.include(text, `${dearest - second} come back`);
  });
});
