import { assert, describe, it } from "vitest";
import { EventParser } from "../../src/core/sse.ts";

const parse = (...texts: ReadonlyArray<string>) => {
  const parser = new EventParser();
  return texts.flatMap((text) => parser.push(text));
};

const STREAM =
  "\uFEFFretry: 10\n\n: comment\n\nid: 1\nevent: progress\ndata: {}\n\n" +
  "data:a\r\ndata\r\ndata:  b\r\n\r\nid:2\revent: result\rdata: \u00fcber\r\r" +
  "event: nothing\n\ndata: half";

const EVENTS = [
  { event: "progress", data: "{}" },
  { event: "message", data: "a\n\n b" },
  { event: "result", data: "\u00fcber" }
];

describe("the event parser", () => {
  it("parses fields, comments and all line ends, and ignores incomplete events", () => {
    assert.deepStrictEqual(parse(STREAM), EVENTS);
  });

  it("gives the same result for any split of the text", () => {
    assert.deepStrictEqual(parse(...STREAM), EVENTS);
    for (let at = 0; at <= STREAM.length; at++) {
      assert.deepStrictEqual(parse(STREAM.slice(0, at), STREAM.slice(at)), EVENTS);
    }
  });

  it("ignores garbage, and rejects events without end", () => {
    assert.deepStrictEqual(parse("<html>\n\n", "\0\n\n", "id: x\n\n", ":\n:\n\n\n\n"), []);
    const parser = new EventParser();
    assert.throws(() => {
      for (let count = 0; count < 20; count++) parser.push(`data: ${"x".repeat(1_000_000)}\n`);
    }, RangeError);
  });
});
