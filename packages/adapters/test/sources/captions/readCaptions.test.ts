import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { readCaptions } from "../../../src/sources/captions/readCaptions.ts";

const shown = (text: string) =>
  readCaptions(text).map(({ startSeconds, endSeconds, text: words }) => [startSeconds, endSeconds, words]);

const tt = (body: string, attributes = ""): string =>
  `<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ${attributes}>
  <head><metadata><title>Not said</title></metadata><styling><style id="s"/></styling></head>
  <body>${body}</body></tt>`;

describe("TTML and DFXP", () => {
  it("give paragraphs with line breaks, entities and collapsed white space", () => {
    const body = `<div>
      <p begin="00:00:01.500" end="00:00:03.000" xml:id="a">One &amp; <span style="s">two</span><br/>
        three</p>
      <p begin="4s" dur="1.5s">four</p></div>`;
    assert.deepStrictEqual(shown(tt(body)), [
      [1.5, 3, "One & two\nthree"],
      [4, 5.5, "four"]
    ]);
  });

  it("have times in frames, ticks, minutes and relative to their parents", () => {
    const body = `<div begin="1m"><p begin="00:00:01:05" end="50f">a</p><p begin="10000000t" dur="500ms">b</p></div>`;
    const attributes = 'ttp:frameRate="25" ttp:tickRate="10000000"';
    assert.deepStrictEqual(shown(tt(body, attributes)), [
      [61, 61.5, "b"],
      [61.2, 62, "a"]
    ]);
  });

  it("have frames that are longer than their rate says, as in North America", () => {
    const attributes = 'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"';
    assert.deepStrictEqual(shown(tt('<p begin="30f" end="300f">a</p>', attributes)), [[1.001, 10.01, "a"]]);
  });

  it("may have times on the spans of a paragraph, and prefixes of their namespace", () => {
    const body = `<tt:div><tt:p><tt:span begin="1s" end="2s">one</tt:span> <tt:span begin="2s" end="3s">two</tt:span></tt:p></tt:div>`;
    const text = `<tt:tt xmlns:tt="http://www.w3.org/ns/ttml"><tt:body>${body}</tt:body></tt:tt>`;
    assert.deepStrictEqual(shown(text), [
      [1, 2, "one"],
      [2, 3, "two"]
    ]);
  });
});

it("ruby readings of TTML are left out", () => {
  const ruby = (kind: string, text: string): string => `<span tts:ruby="${kind}">${text}</span>`;
  const reading = ruby(
    "textContainer",
    ruby("delimiter", "(") + ruby("text", "ふる") + ruby("delimiter", ")")
  );
  const body = `<div><p begin="1s" end="3s">${ruby("container", ruby("base", "震") + reading)}える</p></div>`;
  assert.deepStrictEqual(shown(tt(body, 'xmlns:tts="http://www.w3.org/ns/ttml#styling"')), [
    [1, 3, "震える"]
  ]);
});

it.each([
  ["SubRip", "1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:0x,000 --> 00:00:04,000\nTwo\n"],
  ["SubStation", "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,One\nDialogue: 0,?,?,,,0,0,0,,Two\n"],
  ["TTML", tt('<p begin="1s" end="2s">One</p><p begin="soon">Two</p>')],
  ["srv3", '<timedtext><body><p t="1" d="1">One</p><p t="?" d="1">Two</p></body></timedtext>'],
  ["json3", '{"events":[{"tStartMs":1,"segs":[{"utf8":"One"}]},{"segs":[{"utf8":"Two"}]}]}']
])("a file of %s with a caption whose time cannot be told is not read at all", (_name, text) => {
  assert.deepStrictEqual(readCaptions(text), []);
});

it("times of other formats may be odd too", () => {
  const dialogue = "[Events]\nDialogue: 0,0:00:01:50,0:00:02.2500001,,,0,0,0,,One\n";
  assert.deepStrictEqual(shown(dialogue), [[1.5, 2.25, "One"]]);
  assert.deepStrictEqual(shown(tt('<p begin="00:00:01.24909999999999999" end="00:00:02,5">One</p>')), [
    [1.249, 2.5, "One"]
  ]);
  assert.deepStrictEqual(shown('{"events":[{"tStartMs":"1500","segs":[{"utf8":"One"}]}]}'), [
    [1.5, 1.5, "One"]
  ]);
});

it("readings of ruby may be named by a style, or by a pen of srv3", () => {
  const styles = ["base", "text"].map((kind) => `<style xml:id="r-${kind}" tts:ruby="${kind}"/>`).join("");
  const styled = `<tt><head><styling>${styles}</styling></head><body><p begin="1s" end="3s"><span style="r-base">震</span><span style="s r-text">ふる</span>える</p></body></tt>`;
  const pens = '<pen id="1" rb="1"/><pen id="2" rb="2"/><pen id="3" rb="4"/>';
  const penned = `<timedtext format="3"><head>${pens}</head><body><p t="1000" d="2000"><s p="1">震</s><s p="2">(</s><s p="3">ふる</s><s p="2">)</s><s>える</s></p></body></timedtext>`;
  for (const text of [styled, penned]) assert.deepStrictEqual(shown(text), [[1, 3, "震える"]]);
});

it("SubStation lines are read whatever the case of their names, and with commas in times", () => {
  const text =
    "[Events]\nformat: Layer, Start, End, Style, Text\nDIALOGUE: 0,0:00:01,00,0:00:03,50,D,One, two\n";
  assert.deepStrictEqual(shown(text), [[1, 3.5, "One, two"]]);
});

describe("YouTube's formats", () => {
  it("srv3, srv2 and srv1 are read", () => {
    assert.deepStrictEqual(
      shown(`<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head><pen id="1"/></head><body>
<p t="80" d="2309"><s>welcome</s><s t="480"> to</s></p><p t="2389" d="10">\n</p><p t="2400" d="1000">the &amp; show</p></body></timedtext>`),
      [
        [0.08, 2.389, "welcome to"],
        [2.4, 3.4, "the & show"]
      ]
    );
    assert.deepStrictEqual(shown('<timedtext><text t="1000" d="500">a\nb</text></timedtext>'), [
      [1, 1.5, "a\nb"]
    ]);
    assert.deepStrictEqual(
      shown(
        '<?xml version="1.0"?><transcript><text start="1.2" dur="2">it&amp;#39;s &amp;quot;it&amp;quot;</text></transcript>'
      ),
      [[1.2, 3.2, 'it\'s "it"']]
    );
  });

  it("json3 is read", () => {
    const events = [
      { tStartMs: 0, dDurationMs: 9_000, id: 1, wpWinPosId: 1 },
      { tStartMs: 1_000, dDurationMs: 2_000, segs: [{ utf8: "welcome" }, { utf8: " to", tOffsetMs: 400 }] },
      { tStartMs: 2_990, aAppend: 1, segs: [{ utf8: "\n" }] },
      { tStartMs: 3_000, dDurationMs: 1_000, segs: [{ utf8: "the\nshow" }] }
    ];
    assert.deepStrictEqual(shown(JSON.stringify({ wireMagic: "pb3", events })), [
      [1, 3, "welcome to"],
      [3, 4, "the\nshow"]
    ]);
  });
});

it("SubStation Alpha is read in order of time, without styles, drawings and comments", () => {
  const text = `[Script Info]
Title: Not said
[V4+ Styles]
Format: Name, Fontname
Style: Default,Arial
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,never shown
Dialogue: 0,0:00:05.25,0:00:06.00,Default,,0,0,0,,later, with a comma
Dialogue: 0,0:00:01.00,0:00:02.50,Default,Ada,0,0,0,,{\\an8\\i1}First{\\i0}\\Nsecond\u2028line
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 100{\\p0}
`;
  assert.deepStrictEqual(shown(text.replaceAll("\n", "\r\n")), [
    [1, 2.5, "First\nsecond line"],
    [5.25, 6, "later, with a comma"]
  ]);
});

it("lyrics are read: several times of a line, times of words, an offset", () => {
  const text = `[ti:Not sung]
[ar:Nobody]
[offset:+500]
[00:01.00]<00:01.00>First <00:01.50>line
[00:03.00][00:09.00]Chorus
[00:05.00]
`;
  assert.deepStrictEqual(shown(text), [
    [0.5, 2.5, "First line"],
    [2.5, 4.5, "Chorus"],
    [8.5, 13.5, "Chorus"]
  ]);
});

describe("any file", () => {
  it("that is no captions gives none", () => {
    for (const text of [
      "",
      "{",
      "[]",
      '{"events":3}',
      "<html><p>Hi</p></html>",
      "Just text",
      "[Events]\nDialogue: x"
    ])
      assert.deepStrictEqual(readCaptions(text), [], text);
  });

  it.prop("is read without throwing", { text: Schema.String }, ({ text }) => {
    for (const start of ["", "<tt><p begin='1s'>", '{"events":[', "[Events]\nDialogue: ", "[00:01.00]"])
      readCaptions(start + text);
  });

  const hostile = ["<p>", "<p begin='1s'>", "<s", "{", "[00:01.00]", "Dialogue: 0,", "{\\p1", "&amp;#"];
  // In quadratic time, each of them would take longer than a test may.
  it.each(hostile)("of a million characters of %s is read", (piece) => {
    for (const start of ["<tt>", "<timedtext>", "[Events]\n", "", '{"events":"'])
      assert.isArray(readCaptions(start + piece.repeat(1_000_000 / piece.length)));
  });
});
