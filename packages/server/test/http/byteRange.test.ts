import { assert, describe, it } from "@effect/vitest";
import { answerRange, etagOf, matchesEtag } from "../../src/http/byteRange.ts";

const ETAG = '"abc"';
const SIZE = 1_000;

const rangeOf = (range: string, sizeBytes = SIZE) => {
  const answer = answerRange({ range }, ETAG, sizeBytes);
  return answer._tag === "Part" ? `${answer.range.start}-${answer.range.end}` : answer._tag;
};

describe("byte ranges", () => {
  it.each([
    ["bytes=0-0", "0-0"],
    ["bytes=0-499", "0-499"],
    ["bytes=500-", "500-999"],
    ["bytes=999-", "999-999"],
    ["bytes=-1", "999-999"],
    ["bytes=-1000", "0-999"],
    ["bytes=-5000", "0-999"],
    ["bytes=900-5000", "900-999"],
    ["Bytes=0-1", "0-1"]
  ])("%s is bytes %s of 1000", (range, expected) => {
    assert.strictEqual(rangeOf(range), expected);
  });

  it.each(["bytes=1000-", "bytes=1000-2000", "bytes=-0"])("%s cannot be satisfied", (range) => {
    assert.strictEqual(rangeOf(range), "Unsatisfiable");
  });

  it.each([
    "",
    "bytes=",
    "bytes=-",
    "bytes=5-2",
    "bytes=0-1,5-6",
    "items=0-5",
    "bytes=a-b",
    "bytes 0-5",
    "bytes=0x1-2"
  ])("%j gets the whole file", (range) => {
    assert.strictEqual(rangeOf(range), "Whole");
  });

  it("no range of an empty file can be satisfied", () => {
    assert.strictEqual(rangeOf("bytes=0-", 0), "Unsatisfiable");
    assert.strictEqual(rangeOf("bytes=-5", 0), "Unsatisfiable");
  });

  it("an If-Range of another file, or a date, gets the whole file", () => {
    const ask = (ifRange: string) =>
      answerRange({ range: "bytes=0-1", "if-range": ifRange }, ETAG, SIZE)._tag;
    assert.strictEqual(ask(ETAG), "Part");
    assert.strictEqual(ask('"other"'), "Whole");
    assert.strictEqual(ask(`W/${ETAG}`), "Whole");
    assert.strictEqual(ask("Sat, 21 Nov 2026 08:00:00 GMT"), "Whole");
  });
});

describe("etags", () => {
  it("change with extraction, attempt, name and size, and with nothing else", () => {
    const key = { extractionId: "e", attempt: 1, name: "video.mp4" };
    const tags = [
      etagOf(key, 1),
      etagOf({ ...key, attempt: 2 }, 1),
      etagOf({ ...key, name: "audio.m4a" }, 1),
      etagOf({ ...key, extractionId: "f" }, 1),
      etagOf(key, 2)
    ];
    assert.strictEqual(new Set(tags).size, tags.length);
    assert.strictEqual(etagOf({ ...key }, 1), tags[0]);
    assert.match(tags[0]!, /^"[\w-]+"$/u);
  });

  it("match in lists, weakly, and by *", () => {
    assert.isTrue(matchesEtag('"x", "abc"', ETAG));
    assert.isTrue(matchesEtag('W/"abc"', ETAG));
    assert.isTrue(matchesEtag("*", ETAG));
    assert.isFalse(matchesEtag('"abcd"', ETAG));
  });
});
