import { assert, describe, it } from "@effect/vitest";
import { isForced } from "@winnow/core/domain/text/LanguageTag";
import { parseCues } from "@winnow/core/domain/transcript/ParseCues";
import { writeVtt } from "@winnow/core/domain/result/TranscriptFiles";
import { readComments } from "../../src/sources/fetch/fetchComments.ts";
import { chooseFormats, infoOfFormat } from "../../src/sources/inspect/formats.ts";
import { readGallery } from "../../src/sources/gallery-dl/GalleryDl.ts";
import { type Info, lineOf, readInfo, textOf } from "../../src/sources/yt-dlp/InfoDict.ts";
import { labelsInDash, readDash } from "../../src/sources/manifests/dash.ts";
import { readHls } from "../../src/sources/manifests/hls.ts";
import { planMux } from "../../src/sources/fetch/fetchMedia.ts";

const infoOf = (raw: object): Info => readInfo(raw) ?? assert.fail("no info");

const format = (id: string, vcodec: string | null, acodec: string | null, more: object = {}) => ({
  format_id: id,
  url: `https://example.org/${id}`,
  ext: "mp4",
  vcodec,
  acodec,
  ...more
});

const chosen = (formats: ReadonlyArray<object>, wants: ReadonlyArray<"audio" | "video">) => {
  const { audio, video } = chooseFormats(infoOf({ formats }).formats, wants);
  return [video?.raw["format_id"] ?? null, audio?.raw["format_id"] ?? null];
};

describe("formats", () => {
  const split = [format("a", "none", "aac"), format("v1", "h264", "none"), format("v2", "h264", "none")];
  const muxed = [format("m1", "h264", "aac"), format("m2", "h264", "aac")];

  it("a split source becomes two files, a muxed one becomes one", () => {
    assert.deepStrictEqual(chosen([...split, ...muxed], ["audio", "video"]), ["v2", "a"]);
    assert.deepStrictEqual(chosen(muxed, ["audio", "video"]), ["m2", null]);
    assert.deepStrictEqual(chosen([format("x", null, null)], ["video"]), ["x", null]);
  });

  it("audio alone is the audio track, or the smallest file with audio", () => {
    assert.deepStrictEqual(chosen(split, ["audio"]), [null, "a"]);
    assert.deepStrictEqual(chosen([format("x", null, null), ...muxed], ["audio"]), [null, "m1"]);
  });

  it("images and non-network URLs are never chosen", () => {
    const evil = [
      format("f", "h264", "aac", { url: "file:///etc/passwd" }),
      format("j", null, null, { ext: "jpg" })
    ];
    assert.deepStrictEqual(chosen(evil, ["audio", "video"]), [null, null]);
  });

  it("the info used for a download has one format and requires no other look-up", () => {
    const info = infoOf({ webpage_url: "https://a", subtitles: { x: [] }, extractor: "X", formats: muxed });
    const raw = infoOfFormat(info.raw, info.formats[1] ?? assert.fail());
    assert.deepInclude(raw, { format_id: "m2", extractor: "X", formats: [muxed[1]] });
    assert.notProperty(raw, "webpage_url");
    assert.notProperty(raw, "subtitles");
  });
});

describe("InfoDict", () => {
  it("a field of the wrong type counts as missing", () => {
    const info = infoOf({
      title: 7,
      duration: "long",
      view_count: -1,
      subtitles: [],
      formats: [null, {}],
      entries: 3
    });
    assert.deepStrictEqual(
      [info.title, info.durationSeconds, info.viewCount, info.subtitles.size, info.formats, info.entries],
      [null, null, null, 0, [], []]
    );
    assert.isNull(readInfo(null));
  });

  it("text is cleaned of characters that cannot be stored or displayed", () => {
    assert.strictEqual(textOf("a\u0000b\u202ec\ud800 \n d"), "abc\ufffd \n d");
    assert.strictEqual(lineOf("a\u0000b\u202ec\ud800 \n d"), "abc\ufffd d");
    assert.isNull(textOf(" \u0007 "));
    assert.isNull(lineOf(7));
  });
});

/** CPU time of this thread, independent of other load. */
const processorMs = (): number => process.threadCpuUsage().user / 1_000;

describe("manifest", () => {
  const base = "https://example.org/a/b.m3u8";

  it("the duration is the sum of the segments, and a playlist without an end is live", () => {
    const playlist = readHls("#EXTM3U\n#EXTINF:2.5,\n1.ts\n#EXTINF:3,\n/2.ts\n#EXT-X-ENDLIST", base);
    assert.deepInclude(playlist, {
      durationSeconds: 5.5,
      live: false,
      foreign: false,
      segments: ["https://example.org/a/1.ts", "https://example.org/2.ts"]
    });
    assert.deepInclude(readHls("#EXTM3U\n#EXTINF:2,\n1.ts", base), { live: true });
    assert.isNull(readHls("<html>", base));
  });

  it("a master playlist lists its subtitles and is never live", () => {
    const text = `#EXTM3U
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English, really",LANGUAGE="en",URI="en.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="a,b"
v.m3u8`;
    assert.deepInclude(readHls(text, base), {
      master: true,
      live: false,
      durationSeconds: null,
      subtitles: [{ language: "en", url: "https://example.org/a/en.m3u8" }]
    });
  });

  it("says of all subtitles what they are, and lists those of signs only apart", () => {
    const track = (more: string): string => `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",LANGUAGE="en",${more}`;
    const lines = [
      track('NAME="en",FORCED=YES,URI="f.m3u8"'),
      track('NAME="en,FORCED=YES",URI="n.m3u8"'),
      track('NAME="English",FORCED=NO,CHARACTERISTICS="public.machine-generated",URI="en.m3u8"')
    ];
    const { labels, subtitles } = readHls(["#EXTM3U", ...lines].join("\n"), base) ?? assert.fail();
    assert.deepStrictEqual(labels, [
      { url: "https://example.org/a/f.m3u8", label: "en forced" },
      { url: "https://example.org/a/n.m3u8", label: "en,FORCED=YES" },
      { url: "https://example.org/a/en.m3u8", label: "English  public.machine-generated" }
    ]);
    assert.deepStrictEqual(subtitles, [{ language: "en", url: "https://example.org/a/en.m3u8" }]);
  });

  it("segments, keys and maps outside the network are detected", () => {
    for (const line of [
      "file:///etc/passwd",
      "concat:a.ts|b.ts",
      '#EXT-X-KEY:METHOD=AES-128,URI="file:///k"',
      '#EXT-X-MAP:URI="ftp://x/y"'
    ]) {
      assert.isTrue(readHls(`#EXTM3U\n${line}\n#EXT-X-ENDLIST`, base)?.foreign, line);
    }
    assert.isFalse(readHls('#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k"', base)?.foreign);
  });

  it("a line ends wherever yt-dlp or ffmpeg ends one", () => {
    for (const end of ["\r", "\r\n", "\u2028", "\x85", "\f"]) {
      const lines = ["#EXTM3U", "#EXTINF:2.5,a title", "1.ts", "#EXT-X-ENDLIST"];
      assert.deepInclude(readHls(lines.join(end), base), {
        durationSeconds: 2.5,
        live: false,
        foreign: false
      });
      assert.isTrue(
        readHls(`#EXTM3U\n#EXTINF:2,title${end}file:///etc/passwd\n#EXT-X-ENDLIST`, base)?.foreign
      );
    }
  });

  it("an invalid duration is unknown", () => {
    for (const length of ["Infinity", "1e400", "-5"]) {
      const playlist = readHls(`#EXTM3U\n#EXTINF:${length},\n1.ts\n#EXT-X-ENDLIST`, base);
      assert.isNull(playlist?.durationSeconds, length);
    }
    for (const length of ["PT1.2.3S", `PT${"9".repeat(400)}H`]) {
      assert.isNull(readDash(`<MPD mediaPresentationDuration="${length}">`)?.durationSeconds, length);
    }
  });

  it("a hostile text of 8 MiB is parsed quickly", () => {
    const repeated = (text: string): string => text.repeat(2 ** 23 / text.length);
    const startMs = processorMs();
    readHls(`#EXTM3U\n#EXT-X-MEDIA:${repeated("A")}`, base);
    readHls(`#EXTM3U\n${repeated(`#EXT-X-KEY:${"A".repeat(1_000)}\n`)}`, base);
    labelsInDash(`${repeated("<Period>").slice(0, 2 ** 22)}${repeated("<Representation/>")}`, base);
    labelsInDash(`<BaseURL>a/${repeated("b/")}</BaseURL>${repeated("<Representation/>")}`, base);
    for (const part of ["<MPD ", "<Period ", "<SegmentTemplate ><SegmentTimeline>", "<S ", '<S d="1"/>']) {
      readDash(`<MPD><SegmentTemplate><SegmentTimeline>${repeated(part)}`);
      readDash(`<MPD><SegmentTemplate><SegmentTimeline>${repeated(part)}</SegmentTimeline>`);
      readDash(repeated(part));
      labelsInDash(repeated(part), base);
    }
    assert.isBelow(processorMs() - startMs, 5_000);
    for (const line of ['#EXT-X-MEDIA:TYPE=SUBTITLES,URI="a"\n', "a\n", "\n"]) {
      const playlist = readHls(`#EXTM3U\n${repeated(line)}`, base) ?? assert.fail();
      assert.isTrue(playlist.tooLong);
      assert.isAtMost(playlist.subtitles.length, 200);
      assert.isAtMost(playlist.segments.length, 100_000);
    }
    assert.isBelow(processorMs() - startMs, 5_000);
  });

  it("a DASH manifest has its duration and whether it is live", () => {
    assert.deepStrictEqual(readDash('<MPD type="static" mediaPresentationDuration="PT1H0M3.5S">'), {
      durationSeconds: 3_603.5,
      live: false
    });
    assert.strictEqual(
      readDash('<MPD mediaPresentationDuration="P0Y0M0DT0H0M16.000S">')?.durationSeconds,
      16
    );
    assert.strictEqual(readDash("<MPD mediaPresentationDuration='PT16S'>")?.durationSeconds, 16);
    assert.deepInclude(readDash('<MPD type="dynamic">'), { live: true });
    const periods = '<MPD><Period duration="PT1M"></Period><Period id="2" duration="PT2.5S"/></MPD>';
    assert.strictEqual(readDash(periods)?.durationSeconds, 62.5);
    const unread = periods.replace("<MPD", '<MPD mediaPresentationDuration="unknown"');
    assert.strictEqual(readDash(unread)?.durationSeconds, 62.5);
    assert.isNull(readDash(periods.replace(' duration="PT1M"', ""))?.durationSeconds);
    const timeline = (segments: string) =>
      `<MPD><Period><SegmentTemplate timescale="1000">\n<SegmentTimeline>${segments}</SegmentTimeline>`;
    const segments = '<S t="0" d="4000" r="3"/><S d="500"/>';
    assert.strictEqual(readDash(timeline(segments))?.durationSeconds, 16.5);
    assert.isNull(readDash(timeline('<S d="4000" r="-1"/>'))?.durationSeconds);
    assert.isNull(readDash("<html>"));
  });

  it("a DASH manifest tells what its subtitles are by role and label, such as of signs only", () => {
    const set = (inside: string, file: string, attributes = "") =>
      `<AdaptationSet contentType="text" ${attributes}>${inside}<Representation id="t" bandwidth="1">
         <BaseURL>${file}</BaseURL></Representation></AdaptationSet>`;
    const role = (value: string) => `<Role schemeIdUri="urn:mpeg:dash:role:2011" value="${value}"/>`;
    const manifest = `<MPD><BaseURL>subs/</BaseURL><Period>
      ${set(role("subtitle"), "full.vtt")}
      ${set(role("main") + role("forced-subtitle"), "f.vtt?a=1&amp;b=2")}
      ${set(role("forced_subtitle"), "https://cdn.example.org/g.vtt")}
      ${set("<Label>Français (forcé)</Label>", "../h.vtt")}
      ${set("", "i.vtt", 'label="Signs"')}
      <AdaptationSet>${role("forced-subtitle")}<BaseURL>j.vtt</BaseURL><Representation id="u"/></AdaptationSet>
      <AdaptationSet>${role("sign")}<BaseURL>k.mp4</BaseURL><Representation id="v"/></AdaptationSet>
    </Period></MPD>`;
    const labels = labelsInDash(manifest, "https://example.org/a/m.mpd");
    assert.deepStrictEqual(
      labels.filter(({ label }) => isForced(label)).map(({ url }) => url),
      [
        "https://example.org/a/subs/f.vtt?a=1&b=2",
        "https://cdn.example.org/g.vtt",
        "https://example.org/a/h.vtt",
        "https://example.org/a/subs/i.vtt",
        "https://example.org/a/subs/j.vtt"
      ]
    );
    assert.include(labels.find(({ url }) => url.endsWith("full.vtt"))?.label, 'value="subtitle"');
    // yt-dlp gives all segmented subtitles the address of the manifest.
    const segmented = `<MPD><Period><AdaptationSet>${role("forced-subtitle")}<Representation/></AdaptationSet>`;
    assert.deepStrictEqual(labelsInDash(segmented, "https://example.org/a/m.mpd"), []);
  });
});

describe("captions", () => {
  it("written captions are read back unchanged", () => {
    const cues = [
      { startSeconds: 0, endSeconds: 1.5, text: "a <b> & c" },
      { startSeconds: 3_661.001, endSeconds: 3_662, text: "two\nlines" }
    ];
    assert.deepStrictEqual(parseCues(writeVtt(cues)), cues);
    assert.include(writeVtt(cues), "01:01:01.001 --> 01:01:02.000");
  });
});

describe("comments", () => {
  it("the newest are kept, in our shape", () => {
    const raw = [
      { id: 1, text: "old", timestamp: 1, parent: "root", like_count: null },
      { id: "4", text: "newest", timestamp: 3 },
      { id: "2", text: "new", timestamp: 2, parent: 1, author: "A" },
      { id: "3", text: " " },
      { id: "2", text: "again", timestamp: 4 },
      { id: "5", text: "undated" },
      "nonsense"
    ];
    assert.deepStrictEqual(
      readComments(raw, 9).map(({ id }) => id),
      ["4", "2", "1", "5"]
    );
    assert.deepStrictEqual(readComments(raw, 2).slice(1), [
      { id: "2", author: "A", text: "new", likeCount: null, timestamp: 2, parentId: "1" }
    ]);
    assert.deepStrictEqual(readComments(null, 9), []);
  });
});

describe("GalleryDl", () => {
  it("a post's slides are in order, without its music, files of ours and follow-up pages", () => {
    const text = JSON.stringify([
      [
        2,
        {
          category: "tiktok",
          subcategory: "post",
          desc: "Words\nmore",
          author: { uniqueId: "ada" },
          stats: { diggCount: 5 },
          date: "2025-03-04 10:00:00"
        }
      ],
      [3, "https://a/1.jpg", { extension: "jpg", num: 1 }],
      [3, "https://a/m.mp3", { extension: "mp3" }],
      [3, "ytdl:https://a/v", { extension: "mp4" }],
      [3, "file:///etc/1.jpg", { extension: "jpg" }],
      [3, "https://a/2.webp", { extension: "webp", num: 2 }],
      [6, "https://a/next", {}]
    ]);
    const answer = readGallery(text);
    assert.deepInclude(answer._tag === "Post" ? answer.post : {}, {
      title: "Words",
      uploader: "ada",
      likeCount: 5,
      uploadDate: "20250304",
      images: ["https://a/1.jpg", "https://a/2.webp"]
    });
  });

  it("an error instead of a post is not a post", () => {
    for (const text of ['[["HttpError","404"]]', '[[-1,{"error":"HttpError"}]]', "", "{}"]) {
      assert.notStrictEqual(readGallery(text)._tag, "Post");
    }
  });
});

describe("mux", () => {
  const input = (file: string, ...codecs: ReadonlyArray<readonly ["video" | "audio", string]>) => ({
    file,
    startSeconds: 0,
    probe: {
      durationSeconds: 1,
      startSeconds: 0,
      hasIndex: true,
      streams: codecs.map(([kind, codec]) => ({ kind, codec, pixelFormat: null }))
    }
  });
  const both = { video: true, audio: true };

  it("playable codecs are copied in one pass, also from separate files", () => {
    const { outputArgs, outputs } = planMux(
      [input("v", ["video", "h264"]), input("a", ["audio", "aac"])],
      both
    );
    assert.deepStrictEqual(outputs, ["video.mp4", "audio.m4a"]);
    assert.includeMembers([...outputArgs], ["0:v:0", "1:a:0"]);
    assert.notInclude(outputArgs, "libx264");
  });

  it("other codecs are converted, each track separately", () => {
    const { outputArgs } = planMux([input("m", ["video", "vp8"], ["audio", "mp3"])], both);
    assert.include(outputArgs, "libx264");
    // MP3 plays in MP4 files, but not in M4A files.
    assert.strictEqual(outputArgs.filter((argument) => argument === "aac").length, 1);
  });

  it("a missing track produces no file", () => {
    assert.deepStrictEqual(planMux([input("a", ["audio", "aac"])], both).outputs, ["audio.m4a"]);
    assert.deepStrictEqual(planMux([input("v", ["video", "h264"])], both).outputs, ["video.mp4"]);
  });
});
