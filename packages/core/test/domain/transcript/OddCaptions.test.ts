/** Captions as programs write them wrongly, and players show them: no word of them is lost. */
import { assert, describe, it } from "@effect/vitest";
import { captionSeconds } from "../../../src/domain/transcript/CaptionTimes.ts";
import { parseCues } from "../../../src/domain/transcript/ParseCues.ts";
import { transcriptSegments, transcriptText } from "../../../src/domain/transcript/Transcript.ts";

const wordsOf = (text: string): string => transcriptText(transcriptSegments(parseCues(text)));

const SRT = `1
00:00:01,000 --> 00:00:03,000
The bell rings.

2
00:00:04,000 --> 00:00:06,000
The boat comes
in the fog.
`;

const WORDS = "The bell rings.\nThe boat comes\nin the fog.";

describe("the lines of captions", () => {
  it.each([
    ["as they should be", SRT],
    ["with each end written twice", SRT.replaceAll("\n", "\r\r\n")],
    ["with an empty line after each", SRT.replaceAll("\n", "\n\n")],
    ["with an empty line after the times", SRT.replaceAll(/(-->.*)\n/gu, "$1\n\n")],
    ["parted by line separators", SRT.replaceAll("\n", "\u2028")],
    ["without numbers", SRT.replaceAll(/^\d\n/gmu, "")],
    ["without empty lines", SRT.replaceAll("\n\n", "\n")],
    ["with their first words behind the times", SRT.replaceAll(/(-->.*)\n/gu, "$1 ")]
  ])("%s are read whole", (_how, text) => {
    assert.strictEqual(wordsOf(text), WORDS);
    assert.strictEqual(wordsOf(`WEBVTT\n\n${text.replaceAll(",000", ".000")}`), WORDS);
  });

  it("may be parted by an empty one within a caption, which is no name of the next", () => {
    const text = SRT.replace("rings.", "rings.\n\nIs it four?\n\n42");
    assert.strictEqual(wordsOf(text), WORDS.replace("rings.", "rings.\nIs it four?\n42"));
    // Between doubled line ends, a number is a name only if it follows that of the caption before.
    const doubled = SRT.replace("rings.\n\n2\n", "rings.\n42\n").replaceAll("\n", "\n\n");
    assert.strictEqual(wordsOf(doubled), WORDS.replace("rings.", "rings.\n42"));
  });

  it("of WebVTT name cues after an empty line only, and notes end at one", () => {
    const text =
      "WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\nNOTE no\nno\n\nname\n00:03.000 --> 00:04.000\nTwo\n\nThree\n";
    assert.strictEqual(wordsOf(text), "One\nTwo\nThree");
    assert.strictEqual(wordsOf(`\n${text}`), "One\nTwo\nThree");
  });
});

describe("the times of captions", () => {
  it.each([
    ["00:00:01,500", 1.5],
    ["1:02.25", 62.25],
    ["00:00:01:500", 1.5],
    ["00:00:01:15", 1.5],
    ["00:00:01;500", 1.5],
    ["00:00:01.249.0999999999999", 1.249],
    ["00:00:01.24909999999999999999", 1.249],
    ["00:03:06,0:", 186],
    ["00:00:-1,-50", 0],
    ["-00:00:01,000", 0],
    ["00.00.01,500", 1.5],
    ["00.01.05", 65],
    ["01.05.500", 65.5],
    ["01:02", 62],
    ["2.5", 2.5],
    ["O0:00:0l,500", 1.5],
    ["NaN:NaN:NaN", null],
    ["00:00:0x", null],
    ["1:2:3:4:5", null],
    ["", null]
  ])("%s are %s seconds", (text, seconds) => {
    assert.strictEqual(captionSeconds(text), seconds);
  });

  it.each(["->", "--->", "-- >", "==>", "-", "–", "–>", "→", "- ->", "--&gt;"])(
    "may be joined by %s",
    (arrow) => {
      assert.strictEqual(wordsOf(SRT.replaceAll("-->", arrow)), WORDS);
    }
  );

  it.each([
    ["spaces within", "00: 00: 01, 000 --> 00: 00: 03, 000"],
    ["no spaces", "00:00:01,000-->00:00:03,000"],
    ["wide signs", "００：００：０１，０００ --> ００：００：０３，０００"],
    ["brackets", "[00:00:01,000 --> 00:00:03,000]"],
    ["no end that can be told from their start", "00:00:01,000 --> 00:00:03,000:"],
    ["the number before them", "1 00:00:01,000 --> 00:00:03,000"],
    ["settings", "00:00:01,000 --> 00:00:03,000 X1:1 X2:2 align:start"]
  ])("may have %s", (_what, line) => {
    assert.deepStrictEqual(parseCues(`${line}\nOne\n`), [{ startSeconds: 1, endSeconds: 3, text: "One" }]);
  });

  it("that nobody can tell are NaN, and never taken from within the words", () => {
    const text = SRT.replace("00:00:04,000 --> 00:00:06,000", "NaN:NaN:NaN,NaN --> NaN:NaN:NaN,NaN");
    assert.deepStrictEqual(
      parseCues(text).map(({ startSeconds }) => startSeconds),
      [1, Number.NaN]
    );
    const said = "1\n00:00:01,000 --> 00:00:03,000\nfog --> rain\n10:30 -> 11:00\n3 --> 4\n";
    assert.strictEqual(wordsOf(said), "fog --> rain\n10:30 -> 11:00\n3 --> 4");
  });
});

it("cues may be numbered with signs, and a header may be in small letters", () => {
  const text = SRT.replace(/^(\d)$/gmu, "#$1.");
  assert.deepStrictEqual(parseCues(text), parseCues(SRT));
  assert.strictEqual(
    wordsOf("webvtt\n\nintro\n00:01.000 --> 00:02.000\nfog\n\nend\n00:03.000 --> 00:04.000\nrain"),
    "fog\nrain"
  );
});

describe("the markup of captions", () => {
  const shown = (line: string): string => wordsOf(`00:01.000 --> 00:02.000\n${line}\n`);

  it.each([
    ["Use a List<String> and the <div> tag.", "Use a List<String> and the <div> tag."],
    ["<sighs> I do not know.", "<sighs> I do not know."],
    ["<I>Now</I> <font color=red>red</font><br/>next <span style='x'>line</span>", "Now red\nnext line"],
    ["<ruby>震<rt>ふる</rt></ruby>える<ruby>鐘<rt>かね</rt></ruby>", "震える鐘"],
    ["<ruby>震<rp>(</rp><rt>ふる</rt><rp>)</rp></ruby>える", "震える"],
    ["<ruby>震<rt>ふ<b>る</b></ruby>える", "震える"],
    ["<RUBY>震<RT>ふる</RT></RUBY>える", "震える"],
    ["if a<b and c>d then <b.loud>run</b>", "if a<b and c>d then run"],
    ["{\\an8}{y:i}Now\\Nnext {a: 1}", "Now\nnext {a: 1}"],
    ['<a href="/x">Visit</a> us', "Visit us"],
    ["in C:\\New", "in C:\\New"],
    ["震(ふる)える", "震(ふる)える"]
  ])("%s is shown as %s", (line, expected) => {
    assert.strictEqual(shown(line), expected);
  });
});

it("lines of times may have any arrow or sign, units, and digits of other scripts", () => {
  for (const times of [
    "00:00:01,000 --＞ 00:00:03,000",
    "00:00:01,000 ~ 00:00:03,000",
    "00:00:01,000 > 00:00:03,000",
    "00:00:01,000 to 00:00:03,000",
    "00:00:01,000 ➔ 00:00:03,000",
    "0:00:01.000,0:00:03.000",
    "00h00m01s --> 00h00m03s",
    "00:00:01,000s --> 00:00:03,000s",
    "٠٠:٠٠:٠١,٠٠٠ --> ٠٠:٠٠:٠٣٫٠٠٠"
  ])
    assert.deepStrictEqual(parseCues(`1\n${times}\nfog\n`), [
      { startSeconds: 1, endSeconds: 3, text: "fog" }
    ]);
  const said = "1\n00:00:01,000 --> 00:00:03,000\n10:30 to 11:00\n5 > 4\n10:30,11:00\n";
  assert.strictEqual(wordsOf(said), "10:30 to 11:00\n5 > 4\n10:30,11:00");
});

describe("rolling captions", () => {
  const rolling = (...cues: ReadonlyArray<string>): string =>
    wordsOf(cues.map((words, at) => `00:0${at}.000 --> 00:0${at + 1}.000\n${words}\n\n`).join(""));

  it("have each line once, also where capitals and punctuation change", () => {
    assert.strictEqual(
      rolling(
        "by the end\nthey take away",
        "They take away,\nand what",
        "and what?\nThat isn't it",
        "that isnt it\nof all"
      ),
      "by the end\nthey take away\nand what\nThat isn't it\nof all"
    );
  });

  it("have each word once where a line ends with the start of the next", () => {
    assert.strictEqual(
      rolling(
        "what would you say by the end that the people",
        "That the people are going to take away",
        "to take away, and learned"
      ),
      "what would you say by the end that the people\nare going to take away\nand learned"
    );
  });

  it("are those that show most lines again: others repeat what is said", () => {
    assert.strictEqual(
      rolling("I do not know him", "know him at all", "Nobody does", "nobody does.", "Why?"),
      "I do not know him\nknow him at all\nNobody does\nnobody does.\nWhy?"
    );
  });
});
