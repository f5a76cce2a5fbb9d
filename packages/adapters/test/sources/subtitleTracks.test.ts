/** Which subtitle files of a video are kept, and whose they are. */
import { assert, describe, it } from "@effect/vitest";
import {
  captionLanguagesOf,
  chooseTracks,
  hasTracks,
  ofChoice,
  readTracks,
  withTracks
} from "../../src/sources/inspect/subtitleTracks.ts";
import { type Info, readInfo } from "../../src/sources/yt-dlp/InfoDict.ts";

const infoOf = (raw: object): Info => readInfo(raw) ?? assert.fail("no info");

describe("subtitleTracks", () => {
  const vtt = (url: string) => [
    { ext: "json3", url: "x" },
    { ext: "vtt", url }
  ];
  const languages = (raw: object, wanted: string | null = null) =>
    chooseTracks(readTracks(infoOf(raw)), wanted, 3).map(({ language }) => language);

  it("manual tracks come before automatic ones, the original language first", () => {
    const subtitles = { fr: vtt("f"), "en-GB": vtt("e"), de: vtt("d"), live_chat: vtt("c") };
    const automatic_captions = { "en-orig": vtt("a") };
    assert.deepStrictEqual(languages({ subtitles, automatic_captions, language: "de" }), [
      "de",
      "en-GB",
      "fr"
    ]);
    assert.deepStrictEqual(languages({ subtitles, automatic_captions }), ["en-GB", "fr", "de"]);
  });

  it("of automatic tracks, only the spoken language is used", () => {
    assert.deepStrictEqual(languages({ automatic_captions: { af: vtt("1"), "es-orig": vtt("2") } }), ["es"]);
    const unmarked = { automatic_captions: { af: vtt("1"), en: vtt("2") } };
    assert.deepStrictEqual(languages({ ...unmarked, language: "af" }), ["af"]);
    assert.deepStrictEqual(languages(unmarked), [], "one of them may be a machine translation");
    assert.isFalse(hasTracks(readTracks(infoOf(unmarked))));
    assert.deepStrictEqual(languages({ automatic_captions: { en: vtt("1") } }), ["en"]);
    const timed = { ext: "ttml", url: "x" };
    const unknown = { ext: "scc", url: "y" };
    assert.deepStrictEqual(languages({ subtitles: { en: [timed], de: [unknown], fr: [] } }), ["en", "de"]);
    assert.strictEqual(
      readTracks(infoOf({ subtitles: { en: [unknown, timed] } })).manual[0]?.source.url,
      "x"
    );
  });

  it("the requested language comes first, manual before automatic", () => {
    const subtitles = { de: vtt("d"), "pt-BR": vtt("p"), pt: vtt("q") };
    const automatic_captions = { "en-orig": vtt("a"), fr: vtt("f"), "de-orig": vtt("x") };
    const both = { subtitles, automatic_captions, language: "en" };
    assert.deepStrictEqual(languages(both, "pt"), ["pt", "de", "pt-BR"]);
    assert.deepStrictEqual(languages(both, "pt-BR")[0], "pt-BR");
    assert.deepStrictEqual(languages(both, "en"), ["en", "de", "pt-BR"]);
    assert.isTrue(chooseTracks(readTracks(infoOf(both)), "en", 3)[0]?.automatic);
    assert.isFalse(chooseTracks(readTracks(infoOf(both)), "de", 3)[0]?.automatic);
  });

  it("captions marked as original identify the manual track in that language", () => {
    const subtitles = { en: vtt("e"), de: vtt("d") };
    const automatic_captions = { "de-orig": vtt("a") };
    assert.deepStrictEqual(languages({ subtitles, automatic_captions }), ["de", "en"]);
    assert.deepStrictEqual(languages({ subtitles, automatic_captions, language: "en" }), ["en", "de"]);
  });

  it("those of a choice are all of people, or all automatic, and `any` are both", () => {
    const subtitles = { de: vtt("d"), fr: vtt("f") };
    const automatic_captions = { "en-orig": vtt("a") };
    for (const raw of [{ subtitles }, { automatic_captions }, { subtitles, automatic_captions }, {}]) {
      const all = readTracks(infoOf(raw));
      assert.deepStrictEqual(ofChoice(all, "any"), all);
      for (const wanted of [null, "en", "fr", "sw"]) {
        const originsOf = (captions: "any" | "people" | "automatic") =>
          chooseTracks(ofChoice(all, captions), wanted, 3).map(({ automatic }) => automatic);
        assert.notInclude(originsOf("people"), true);
        assert.notInclude(originsOf("automatic"), false);
        assert.strictEqual(originsOf("people").length, "subtitles" in raw ? 2 : 0);
        assert.strictEqual(originsOf("automatic").length, "automatic_captions" in raw ? 1 : 0);
      }
    }
  });

  it("automatic captions that are listed as subtitles are none of people", () => {
    for (const [label, name] of [
      ["ai-zh"],
      ["zh-x-autogen"],
      ["zh-auto"],
      ["zh", "Chinese (auto-generated)"],
      ["zh", "Chinesisch - automatisch"],
      ["zh", "中文（自动生成）"]
    ] as const) {
      const tracks = readTracks(infoOf({ subtitles: { [label]: [{ ext: "vtt", url: "z", name }] } }));
      assert.deepStrictEqual(captionLanguagesOf(tracks), [{ language: "zh", origin: "automatic" }], label);
    }
    const both = [
      { ext: "srt", url: "people" },
      { ext: "vtt", url: "machine", name: "English (auto)" }
    ];
    const tracks = readTracks(infoOf({ subtitles: { en: both, autumn: vtt("u") } }));
    assert.deepStrictEqual(
      tracks.manual.map(({ source }) => source.url),
      ["people", "u"]
    );
    assert.deepStrictEqual(
      tracks.automatic.map(({ source }) => source.url),
      ["machine"]
    );
  });

  it("a machine translation is never used, even on request", () => {
    const translated = [{ ext: "vtt", url: "https://a/timedtext?lang=en&tlang=fr" }];
    const automatic_captions = { "en-orig": vtt("a"), fr: vtt("f") };
    assert.deepStrictEqual(languages({ automatic_captions }, "fr"), ["en"]);
    assert.deepStrictEqual(languages({ automatic_captions: { fr: translated } }, "fr"), []);
  });

  it("a machine translation is known by its name, and hides no other captions", () => {
    const named = (name: string) => [{ ext: "vtt", url: name, name }];
    const en = named("English (auto-generated)");
    for (const name of [
      "Deutsch (auto-translated)",
      "German (machine translation)",
      "Deutsch (automatisch übersetzt)",
      "Traduction automatique"
    ]) {
      const tracks = readTracks(infoOf({ subtitles: { en, de: named(name) } }));
      assert.deepStrictEqual(captionLanguagesOf(tracks), [{ language: "en", origin: "automatic" }], name);
    }
    const byPeople = readTracks(infoOf({ subtitles: { de: named("Deutsch (Übersetzung)") } }));
    assert.deepStrictEqual(captionLanguagesOf(byPeople), [{ language: "de", origin: "people" }]);
  });

  it("language labels of players are recognised, other labels are not", () => {
    const subtitles = { English: vtt("e"), "Português (Brasil)": vtt("p"), "../../evil": vtt("x") };
    assert.deepStrictEqual(languages({ subtitles }), ["en", "pt", "und"]);
  });

  it("tracks of signs only are none, by their label, their name or the playlist", () => {
    const named = [{ url: "https://a/f.vtt", ext: "vtt", name: "English (Forced)" }, ...vtt("full")];
    const subtitles = {
      "de-forced": vtt("d"),
      "Français (forcé)": vtt("f"),
      "English Signs & Songs": vtt("s"),
      "日本語（強制）": vtt("j"),
      en: named,
      reinforced: vtt("r")
    };
    const { manual } = readTracks(infoOf({ subtitles }));
    assert.deepStrictEqual(manual.map(({ source }) => source.url).toSorted(), ["full", "r"]);
    const labels = [{ url: "https://a/x/sch%C3%B6n.vtt", label: "forced-subtitle" }];
    const forced = [{ ext: "vtt", url: "https://a/b/../x/schön.vtt" }];
    const listed = infoOf({ subtitles: { en: [...forced, ...vtt("e")], de: forced } }).subtitles;
    assert.deepStrictEqual([...withTracks(listed, [], labels).keys()], ["en"]);
    assert.strictEqual(withTracks(listed, [], labels).get("en")?.length, 2);
  });

  it("what a page or stream calls a file counts, whoever listed it", () => {
    const url = "https://a/en.vtt";
    const labels = [{ url, label: "English (auto-generated)" }];
    for (const [listed, others] of [
      [{ en: [{ ext: "vtt", url }] }, []],
      [{}, [{ language: "en", url }]]
    ] as const) {
      const subtitles = withTracks(infoOf({ subtitles: listed }).subtitles, others, labels);
      assert.deepStrictEqual(captionLanguagesOf(readTracks({ ...infoOf({}), subtitles })), [
        { language: "en", origin: "automatic" }
      ]);
    }
  });

  it("tracks of the page are used if the extractor lists none", () => {
    const more = [{ language: "en", url: "https://a/b.srt?x" }];
    assert.strictEqual(withTracks(new Map(), more, []).get("en")?.[0]?.ext, "srt");
    const listed = infoOf({ subtitles: { de: vtt("d") } }).subtitles;
    assert.isFalse(withTracks(listed, more, []).has("en"));
  });
});
