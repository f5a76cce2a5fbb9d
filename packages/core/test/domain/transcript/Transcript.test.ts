import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import {
  CUES_MAX,
  readTranscript,
  transcriptSegments,
  transcriptText,
  writeTranscript
} from "../../../src/domain/transcript/Transcript.ts";
import { parseCues } from "../../../src/domain/transcript/ParseCues.ts";
import { oneOf } from "../Arbitraries.ts";
import { spentMs } from "../Processor.ts";

const segmentsOf = (text: string) => transcriptSegments(parseCues(text));
const wordsOf = (text: string): string => transcriptText(segmentsOf(text));

/** Captions in YouTube's format: two rolling lines, timed words, and cues of 10 ms in between. */
const ROLLING = `WEBVTT
Kind: captions
Language: en

00:00:00.080 --> 00:00:02.389 align:start position:0%
 
welcome<00:00:00.480><c> to</c><00:00:00.640><c> the</c><00:00:00.800><c> show</c>

00:00:02.389 --> 00:00:02.399 align:start position:0%
welcome to the show
 

00:00:02.399 --> 00:00:04.309 align:start position:0%
welcome to the show
where<00:00:02.720><c> we</c><00:00:03.040><c> talk</c>

00:00:04.309 --> 00:00:04.319 align:start position:0%
where we talk
 

00:00:09.000 --> 00:00:11.000 align:start position:0%
where we talk
about<00:00:09.500><c> things</c>
`;

describe("WebVTT", () => {
  it("gives cues with times in seconds", () => {
    assert.deepStrictEqual(
      parseCues("WEBVTT\n\n01:02.500 --> 01:03.000\nHello\n\n1:00:00.000 --> 1:00:01.25\nBye\n"),
      [
        { startSeconds: 62.5, endSeconds: 63, text: "Hello" },
        { startSeconds: 3_600, endSeconds: 3_601.25, text: "Bye" }
      ]
    );
  });

  it("skips header, notes, styles, regions and cue names", () => {
    const text = `\uFEFFWEBVTT - A title
X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

STYLE
::cue { color: red }

REGION
id:fred

NOTE
never shown
00:00:01.000 --> 00:00:02.000
nor this

NOTE one line

introduction
00:00:01.000 --> 00:00:02.000 line:0 align:start
Noted.
NOTE: this is said.

00:03.000 --> 00:04.000
`;
    assert.strictEqual(wordsOf(text), "Noted.\nNOTE: this is said.");
  });

  it("has its tags removed and its entities decoded", () => {
    const text = `WEBVTT

00:01.000 --> 00:02.000
<v.loud Mary Ann>AT&amp;T &lt;b&gt; &#39;q&#x27;</v>
caf&eacute;&nbsp;<i>now</i> <00:00:01.500><c.yellow.bg_blue>x</c>
`;
    assert.strictEqual(wordsOf(text), "Mary Ann: AT&T <b> 'q'\ncafé now x");
  });

  it("keeps who speaks, each voice on a line of its own", () => {
    const text = `WEBVTT

00:01.000 --> 00:02.000
<v Ada>Is it <i>coarse</i>?</v> <v.quiet Bob &amp; Co>It is.

00:02.000 --> 00:03.000
<v Ada>
- Good.
`;
    assert.strictEqual(wordsOf(text), "Ada: Is it coarse?\nBob & Co: It is.\nAda:\n- Good.");
  });

  it("keeps dialogue that is repeated without a pause", () => {
    const cue = (second: number, words: string) =>
      `00:0${second}.000 --> 00:0${second + 1}.000\n${words}\n\n`;
    const said = ["No.", "No.", "- No.\n- Yes.", "- Yes.\n- Why?", "Because.", "Because.", "Bye."];
    assert.strictEqual(
      wordsOf(`WEBVTT\n\n${said.map((words, at) => cue(at, words)).join("")}`),
      said.join("\n")
    );
    const chorus = ["Hey", "Hey", "Hey", "Hey"];
    assert.strictEqual(
      wordsOf(`WEBVTT\n\n${chorus.map((words, at) => cue(at, words)).join("")}`),
      chorus.join("\n")
    );
  });

  it("keeps text that only looks like a tag", () => {
    const text = "WEBVTT\n\n00:01.000 --> 00:02.000\nI <3 you, 1 < 2 > 0, a<\n&unknown; & co &amp;amp;\n";
    assert.strictEqual(wordsOf(text), "I <3 you, 1 < 2 > 0, a<\n&unknown; & co &amp;");
  });

  it("with rolling captions is written once, also after a pause", () => {
    assert.strictEqual(wordsOf(ROLLING), "welcome to the show\nwhere we talk\nabout things");
  });

  it("that is written word by word is written once", () => {
    const text = `WEBVTT

00:01.000 --> 00:01.500
before this

00:01.500 --> 00:02.000
before this
one

00:02.000 --> 00:02.500
before this
one two

00:02.500 --> 00:03.000
one two
three
`;
    assert.strictEqual(wordsOf(text), "before this\none two\nthree");
  });

  it("that is repeated at the border of two segments is written once", () => {
    const cue = "00:05.000 --> 00:07.000\nAcross the border\n\n";
    assert.strictEqual(
      wordsOf(`WEBVTT\n\n${cue}WEBVTT\n\n${cue}00:07.000 --> 00:08.000\nNext\n`),
      "Across the border\nNext"
    );
  });

  it("keeps a sentence that is repeated after a pause", () => {
    const text = "WEBVTT\n\n00:01.000 --> 00:02.000\nNo.\n\n00:03.000 --> 00:04.000\nNo.\n";
    assert.strictEqual(wordsOf(text), "No.\nNo.");
  });
});

describe("the segments of a transcript", () => {
  const timesOf = (text: string) =>
    segmentsOf(text).map(({ startSeconds, endSeconds, text: words }) => [startSeconds, endSeconds, words]);

  it("have the times of the first caption that shows them", () => {
    assert.deepStrictEqual(timesOf(ROLLING), [
      [0.08, 2.389, "welcome to the show"],
      [2.399, 4.309, "where we talk"],
      [9, 11, "about things"]
    ]);
  });

  it("of a line written word by word last from its first word to its last", () => {
    const text = `WEBVTT

00:01.000 --> 00:01.500
one

00:01.500 --> 00:02.000
one two

00:02.000 --> 00:03.000
one two three
next
`;
    assert.deepStrictEqual(timesOf(text), [[1, 3, "one two three\nnext"]]);
  });

  it("are read from the file as they were written", () => {
    const segments = segmentsOf(ROLLING);
    assert.deepStrictEqual(JSON.parse(writeTranscript("en", segments)).segments[0], {
      startSec: 0.08,
      endSec: 2.389,
      text: "welcome to the show"
    });
    assert.deepStrictEqual(readTranscript(writeTranscript(null, segments)), Option.some(segments));
    for (const other of ["", "[]", "{}", '{"language":null,"segments":[{}]}']) {
      assert.deepStrictEqual(readTranscript(other), Option.none());
    }
  });
});

describe("SRT", () => {
  it("is read with numbers, commas, CRLF, markup and overrides", () => {
    const text = [
      "1",
      "00:00:01,000 --> 00:00:02,500 X1:1 X2:2",
      '{\\an8}<font color="#fff">Top &amp; centre</font>',
      "",
      "2",
      "00:00:03,000 --> 00:00:04,000",
      "- Who?",
      "- {\\i1}Me{\\i0}."
    ].join("\r\n");
    assert.deepStrictEqual(parseCues(text), [
      { startSeconds: 1, endSeconds: 2.5, text: "Top & centre" },
      { startSeconds: 3, endSeconds: 4, text: "- Who?\n- Me." }
    ]);
  });

  it("is read without empty lines between the captions", () => {
    const text = `1
00:00:01,000 --> 00:00:02,000
One
2
00:00:02,500 --> 00:00:03,000
42

3
00:00:04,000 --> 00:00:05,000
Three`;
    assert.strictEqual(wordsOf(text), "One\n42\nThree");
  });

  it("is parsed with old line ends and lines of white space", () => {
    const text = "1\r00:00:01,0 --> 00:00:02,0\rOne\r \r2\r00:00:03,0 --> 00:00:04,0\rTwo\r";
    assert.strictEqual(wordsOf(text), "One\nTwo");
  });
});

describe("broken captions", () => {
  it("end no earlier than they start", () => {
    assert.deepStrictEqual(parseCues("00:05.000 --> 00:01.000\nx"), [
      { startSeconds: 5, endSeconds: 5, text: "x" }
    ]);
  });

  it("with invalid times are skipped", () => {
    assert.deepStrictEqual(parseCues("WEBVTT\n\nsoon --> later\nx\n\n--> \ny\n\n00:01 -> 00:02\nz\n"), []);
  });

  it("of placeholders and control characters are dropped", () => {
    assert.deepStrictEqual(parseCues("00:01.000 --> 00:02.000\n&nbsp;\n\u200b<c></c>\u0007\n"), []);
  });

  it("with too many cues are cut at the limit", () => {
    const cues = parseCues("00:01.000 --> 00:02.000\nx\n\n".repeat(CUES_MAX + 5));
    assert.strictEqual(cues.length, CUES_MAX);
  });

  const hostile: Readonly<Record<string, string>> = {
    "open tags": "<",
    "tags that never end": "<a",
    "tag names": "<c.a",
    numbers: "<1",
    overrides: "{\\",
    ampersands: "&am",
    spaces: " ",
    arrows: "-->",
    timings: "00:01.000 --> 00:02.000\n",
    "timings with text": "1\n00:01.000 --> 00:02.000\na b\n",
    "lines in one cue": "a\n",
    "growing lines": "a "
  };
  for (const [name, piece] of Object.entries(hostile)) {
    it(`of 100,000 characters of ${name} take linear time`, () => {
      const small = "00:01.000 --> 00:02.000\n" + piece.repeat(100_000 / piece.length);
      const startMs = spentMs();
      wordsOf(small);
      wordsOf(`${small}\n\n${small}`);
      // They take three seconds in quadratic time, and a tenth of one in linear time.
      assert.isBelow(spentMs() - startMs, 1_500);
    });
  }
});

const Line = oneOf(
  [
    ["WEBVTT", "", " ", "1", "NOTE", "STYLE", "one", "one two", "two", "a --> b", "<", "&#0;", "{\\an8}"],
    ["00:00:01.000 --> 00:00:02.000", "00:00:02,000 --> 00:00:03,000", "<00:00:01.500>"],
    ["<c>one</c>", "&lt;c&gt;"]
  ].flat()
);
const Captions = Arbitrary.map(Arbitrary.array(Line, { maxLength: 40 }), (lines) => lines.join("\n"));

const runs = { arbitrary: { runs: 300, size: 40 } };

describe("laws", () => {
  it.prop(
    "any text is read without throwing",
    { text: Schema.String },
    ({ text }) => {
      assert.isString(wordsOf(text));
      assert.isString(wordsOf(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}`));
    },
    runs
  );

  it.prop(
    "line ends and a byte-order mark do not matter",
    { text: Captions },
    ({ text }) => {
      const cues = parseCues(text);
      assert.deepStrictEqual(parseCues(`\uFEFF${text.replaceAll("\n", "\r\n")}`), cues);
      assert.deepStrictEqual(parseCues(text.replaceAll("\n", "\r")), cues);
    },
    runs
  );

  it.prop(
    "the output has no empty line, tag or timing",
    { text: Captions },
    ({ text }) => {
      for (const cue of parseCues(text)) {
        assert.isAtLeast(cue.endSeconds, cue.startSeconds);
        for (const line of cue.text.split("\n")) {
          assert.strictEqual(line.trim(), line);
          assert.notStrictEqual(line, "");
          assert.notMatch(line, /<\/?c>\b|\d\d:\d\d:\d\d|\{\\/u);
        }
      }
    },
    runs
  );

  it.prop(
    "segments follow each other, within the time of the captions",
    { text: Captions },
    ({ text }) => {
      const segments = segmentsOf(text);
      for (const { startSeconds, endSeconds, text: words } of segments) {
        assert.isAtLeast(endSeconds, startSeconds);
        assert.notStrictEqual(words, "");
      }
      assert.isAtMost(segments.length, parseCues(text).length);
    },
    runs
  );

  it.prop(
    "every line of the output was in the file, and none is lost",
    { text: Captions },
    ({ text }) => {
      const cues = parseCues(text);
      const shown = new Set(cues.flatMap((cue) => cue.text.split("\n")));
      const words = transcriptText(transcriptSegments(cues));
      const lines = words === "" ? [] : words.split("\n");
      for (const line of lines) assert.isTrue(shown.has(line), line);
      for (const line of shown) {
        assert.isTrue(
          lines.some((written) => written === line || written.startsWith(`${line} `)),
          `${line} is lost`
        );
      }
    },
    runs
  );
});
