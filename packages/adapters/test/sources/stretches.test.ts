/** What a stretch of a video needs of its streams, by their lists of segments. */
import { assert, describe, it } from "@effect/vitest";
import { cutTranscript, shownIn } from "@winnow/core/domain/result/TranscriptFiles";
import * as fc from "fast-check";
import { Egress } from "@winnow/isolation/network/Egress";
import { serve } from "@winnow/isolation/test/network/LoopbackServer";
import { quietEgress } from "@winnow/isolation/test/network/QuietEgress";
import * as Effect from "effect/Effect";
import { DEFAULT_LIMITS } from "../../src/sources/DownloadLimits.ts";
import { cutFormat } from "../../src/sources/fetch/cutFormat.ts";
import type { FetchContext } from "../../src/sources/fetch/FetchContext.ts";
import { fetchSubtitles } from "../../src/sources/fetch/fetchSubtitles.ts";
import type { VideoSource } from "../../src/sources/inspect/Inspection.ts";
import { readTracks } from "../../src/sources/inspect/subtitleTracks.ts";
import { planMux } from "../../src/sources/fetch/fetchMedia.ts";
import { cutFragments } from "../../src/sources/manifests/dash.ts";
import { cutHls, readHls } from "../../src/sources/manifests/hls.ts";
import { neededPieces } from "../../src/sources/manifests/neededPieces.ts";
import type { StreamServices } from "../../src/sources/inspect/StreamInspection.ts";
import { readInfo } from "../../src/sources/yt-dlp/InfoDict.ts";

const SIX = [2, 2, 2, 2, 2, 2];

describe("the segments of a stretch", () => {
  it.each([
    ["within one", { startSec: 2.5, endSec: 3.5 }, [1], 2],
    ["from border to border", { startSec: 2, endSec: 6 }, [1, 2], 2],
    ["across borders", { startSec: 3.9, endSec: 8.1 }, [1, 2, 3, 4], 2],
    ["from the beginning", { startSec: 0, endSec: 1 }, [0], 0],
    ["to the end", { startSec: 9, endSec: null }, [4, 5], 8],
    ["beyond the end", { startSec: 11, endSec: 90 }, [5], 10],
    ["after the end, as their rounded lengths have it", { startSec: 12.2, endSec: 12.4 }, [5], 10]
  ] as const)("%s are these", (_, range, indexes, startSeconds) => {
    assert.deepStrictEqual(neededPieces(SIX, range), { indexes: [...indexes], startSeconds });
  });

  it("are unknown if their lengths are", () => {
    assert.isNull(neededPieces([], { startSec: 0, endSec: 1 }));
    assert.isNull(neededPieces([null, null], { startSec: 0, endSec: 1 }));
    assert.isNull(neededPieces([0, 0], { startSec: 0, endSec: 1 }));
  });

  it("cover all of it, without a gap, and hardly more", () => {
    const law = fc.property(
      fc.array(fc.integer({ min: 1, max: 12_000 }), { minLength: 1, maxLength: 60 }),
      fc.nat(99_999),
      fc.integer({ min: 1, max: 99_999 }),
      (lengthsMs, startMs, spanMs) => {
        const range = { startSec: startMs / 1_000, endSec: (startMs + spanMs) / 1_000 };
        const { indexes, startSeconds } =
          neededPieces(
            lengthsMs.map((lengthMs) => lengthMs / 1_000),
            range
          ) ?? assert.fail();
        const sum = (until: number): number => lengthsMs.slice(0, until).reduce((all, each) => all + each, 0);
        const [first = assert.fail(), last = first] = [indexes[0], indexes.at(-1)];
        const totalMs = sum(lengthsMs.length);
        assert.deepStrictEqual(
          indexes,
          lengthsMs.flatMap((_, index) => (index >= first && index <= last ? [index] : []))
        );
        assert.approximately(startSeconds * 1_000, sum(first), 0.01);
        assert.isTrue(sum(first) <= startMs || startMs >= totalMs);
        assert.isTrue(sum(first + 1) >= startMs || first === lengthsMs.length - 1);
        assert.isTrue(sum(last + 1) >= Math.min(startMs + spanMs, totalMs) - 0.01);
        assert.isTrue(sum(last) <= startMs + spanMs || last === first);
      }
    );
    fc.assert(law, { numRuns: 200 });
  });

  it("of a playlist keep what it says about all segments behind it", () => {
    const text = `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-MEDIA-SEQUENCE:7
#EXT-X-MAP:URI="old.mp4"
#EXTINF:4,
#EXT-X-BYTERANGE:100@20
a.m4s
#EXT-X-KEY:METHOD=AES-128,URI="k1"
#EXT-X-MAP:URI="new.mp4"
#EXTINF:4.5,a title
#EXT-X-BYTERANGE:50
a.m4s
#EXT-X-DISCONTINUITY
#EXTINF:4,
#EXT-X-BYTERANGE:60
a.m4s
#EXT-X-KEY:METHOD=NONE
#EXTINF:4,
b.m4s
#EXT-X-ENDLIST`;
    assert.deepStrictEqual(cutHls(text, { startSec: 9, endSec: 12 }), {
      startSeconds: 8.5,
      text: `#EXTM3U
#EXT-X-MEDIA-SEQUENCE:9
#EXT-X-VERSION:6
#EXT-X-KEY:METHOD=AES-128,URI="k1"
#EXT-X-MAP:URI="new.mp4"
#EXT-X-DISCONTINUITY
#EXTINF:4,
#EXT-X-BYTERANGE:60@170
a.m4s
#EXT-X-KEY:METHOD=NONE
#EXT-X-ENDLIST`
    });
  });

  it("of a playlist are unknown in a list of other playlists, or of addresses alone", () => {
    const range = { startSec: 1, endSec: 2 };
    assert.isNull(cutHls("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8", range));
    assert.isNull(cutHls("#EXTM3U\na.ts\nb.ts\n#EXT-X-ENDLIST", range));
  });

  it("of a playlist are found by whoever reads it", () => {
    const text = `#EXTM3U\n${SIX.map((seconds, index) => `#EXTINF:${seconds},\n${index}.ts\n`).join("")}#EXT-X-ENDLIST`;
    const cut = cutHls(text, { startSec: 5, endSec: 7 }) ?? assert.fail();
    assert.deepInclude(readHls(cut.text, "https://example.org/v.m3u8"), {
      durationSeconds: 4,
      live: false,
      segments: ["https://example.org/2.ts", "https://example.org/3.ts"]
    });
  });

  it("of a manifest come with those that prepare them, as yt-dlp lists them", () => {
    const fragments = [
      { url: "init" },
      ...SIX.map((duration, index) => ({ path: String(index), duration })),
      { url: "other-init" },
      { path: "6", duration: 2 }
    ];
    const pick = (...indexes: ReadonlyArray<number>) => indexes.map((index) => fragments[index]);
    assert.deepStrictEqual(cutFragments(fragments, { startSec: 4.5, endSec: 5.5 }), {
      fragments: pick(0, 3),
      startSeconds: 4,
      errorSeconds: 1
    });
    assert.deepStrictEqual(
      cutFragments(fragments, { startSec: 11, endSec: 13 })?.fragments,
      pick(0, 6, 7, 8)
    );
    assert.deepStrictEqual(cutFragments(fragments, { startSec: 12.5, endSec: 13 })?.fragments, pick(7, 8));
    for (const unknown of [undefined, "generator", [], [{ url: "a" }], [null, 7]])
      assert.isNull(cutFragments(unknown, { startSec: 0, endSec: 1 }));
  });
});

describe("a playlist", () => {
  const segments = (...addresses: ReadonlyArray<string>): string =>
    `#EXTM3U\n${addresses.map((address) => `#EXTINF:2,\n${address}\n`).join("")}#EXT-X-ENDLIST`;
  const TEXTS: Readonly<Record<string, string>> = {
    "/list.m3u8": segments("0.ts", "1.ts", "2.ts"),
    "/foreign.m3u8": segments("0.ts", "1.ts", "file:///etc/passwd"),
    "/drm.m3u8": `${segments("0.ts", "1.ts")}\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://a"`,
    "/live.m3u8": segments("0.ts", "1.ts").replace("#EXT-X-ENDLIST", ""),
    "/master.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlist.m3u8"
  };

  const cut = Effect.fnUntraced(function* (path: string) {
    const referers: Array<string | undefined> = [];
    const site = yield* serve((request, response) => {
      referers.push(request.headers.referer);
      if (request.url === "/moved") return void response.writeHead(302, { location: "/list.m3u8" }).end();
      const text = TEXTS[request.url ?? ""];
      response.writeHead(text === undefined ? 403 : 200).end(text);
    });
    const url = site.url + path;
    const raw = {
      url,
      protocol: "m3u8_native",
      http_headers: { Referer: "https://a.example/", Bad: "a\r\nb" }
    };
    const [format = assert.fail()] = readInfo({ formats: [raw] })?.formats ?? [];
    return yield* Effect.gen(function* () {
      const services = { egress: yield* Egress, limits: DEFAULT_LIMITS } as unknown as StreamServices;
      const found = yield* Effect.result(cutFormat(format, { startSec: 2.5, endSec: 3 }, services));
      return { found, referers, site };
    }).pipe(Effect.provide(quietEgress({ allow: [site.authority] })));
  });

  it.live("is cut before yt-dlp gets it, with the address that it has in the end", () =>
    Effect.gen(function* () {
      const { found, referers, site } = yield* cut("/moved");
      const { format, startSeconds } =
        found._tag === "Success" ? (found.success ?? assert.fail()) : assert.fail();
      assert.strictEqual(startSeconds, 2);
      assert.strictEqual(format.raw["url"], `${site.url}/list.m3u8`);
      assert.match(String(format.raw["hls_media_playlist_data"]), /^#EXTINF:2,\n1\.ts$/mu);
      assert.notInclude(String(format.raw["hls_media_playlist_data"]), "0.ts");
      assert.deepStrictEqual(referers, ["https://a.example/", "https://a.example/"]);
    })
  );

  it.live("that cannot be read here, or only lists others, is left to yt-dlp", () =>
    Effect.gen(function* () {
      for (const path of ["/master.m3u8", "/refused.m3u8"]) {
        const { found } = yield* cut(path);
        assert.isNull(found._tag === "Success" ? found.success : assert.fail());
      }
    })
  );

  it.live("that must not be downloaded is refused, whatever stretch is asked for", () =>
    Effect.gen(function* () {
      for (const [path, reason] of [
        ["/foreign.m3u8", "blocked_address"],
        ["/drm.m3u8", "drm"],
        ["/live.m3u8", "live"]
      ] as const) {
        const { found } = yield* cut(path);
        assert.strictEqual(found._tag === "Failure" ? found.failure.reason : "none", reason, path);
      }
    })
  );
});

describe("captions", () => {
  it("belong to a stretch if they are shown in it, however briefly", () => {
    const cue = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });
    const cues = [cue(0, 5), cue(4, 5.1), cue(5, 5), cue(6, 7), cue(7.9, 12), cue(8, 9)];
    assert.deepStrictEqual(shownIn({ startSec: 5, endSec: 8 }, cues), cues.slice(1, 5));
    assert.deepStrictEqual(shownIn({ startSec: 0, endSec: null }, cues), cues);
  });
});

describe("captions in segments", () => {
  const PIECE_SECONDS = 10;
  const CUE_SECONDS = 4;
  const COUNT = 30;

  const time = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 23);

  /** What is shown in a segment, on a clock of its own that begins with it; its borders cut every fifth caption. */
  const piece = (number: number): string => {
    const [from, to] = [number * PIECE_SECONDS, (number + 1) * PIECE_SECONDS];
    const cues = Array.from({ length: (COUNT * PIECE_SECONDS) / CUE_SECONDS }, (_, index) => {
      const [start, end] = [Math.max(from, index * CUE_SECONDS), Math.min(to, (index + 1) * CUE_SECONDS)];
      return start < end ? `${time(start - from)} --> ${time(end - from)}\nSentence ${index}.\n\n` : "";
    });
    return `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${900_000 + from * 90_000},LOCAL:00:00:00.000\n\n${cues.join("")}`;
  };

  const read = Effect.fnUntraced(function* (range?: { readonly startSec: number; readonly endSec: number }) {
    const asked: Array<string> = [];
    const site = yield* serve((request, response) => {
      const path = request.url ?? "";
      asked.push(path);
      const list = Array.from({ length: COUNT }, (_, number) => `#EXTINF:${PIECE_SECONDS},\n/${number}\n`);
      const text =
        path === "/list" ? `#EXTM3U\n${list.join("")}#EXT-X-ENDLIST` : piece(Number(path.slice(1)));
      response.writeHead(200, { "content-type": "text/vtt" }).end(text);
    });
    const info = readInfo({ url: site.url, subtitles: { en: [{ url: `${site.url}/list`, ext: "vtt" }] } });
    return yield* Effect.gen(function* () {
      const context = {
        request: { url: site.url, wants: ["transcript"], range },
        egress: yield* Egress,
        limits: DEFAULT_LIMITS
      } as unknown as FetchContext;
      const tracks = readTracks(info ?? assert.fail());
      const source = { _tag: "Video", info, tracks, captionsRefused: null } as unknown as VideoSource;
      const { texts } = yield* fetchSubtitles(context, source);
      const { segments } = JSON.parse(texts.get("transcript.json") ?? '{"segments": []}') as {
        readonly segments: ReadonlyArray<{ readonly startSec: number; readonly endSec: number }>;
      };
      return { asked, segments, texts: Object.fromEntries(texts) };
    }).pipe(Effect.provide(quietEgress({ allow: [site.authority] })));
  });

  it.live(
    "are those of the whole that a stretch shows, with their times, fetched or cut from what is stored",
    () =>
      Effect.gen(function* () {
        const whole = yield* read();
        assert.lengthOf(whole.segments, (COUNT * PIECE_SECONDS) / CUE_SECONDS);
        for (const [startSec, endSec] of [
          [0, 3],
          [120, 130],
          [121.5, 121.6],
          [132, 150],
          [288, 300],
          [297, 900]
        ] as const) {
          const { segments, texts } = yield* read({ startSec, endSec });
          assert.deepStrictEqual(texts, cutTranscript({ startSec, endSec }, whole.texts));
          const shown = whole.segments.filter((each) => each.startSec < endSec && each.endSec > startSec);
          assert.deepStrictEqual(segments, shown);
        }
      })
  );

  it.live("are requested around a stretch only, and the first one, which tells when they begin", () =>
    Effect.gen(function* () {
      const { asked } = yield* read({ startSec: 122, endSec: 128 });
      assert.deepStrictEqual(
        asked.toSorted(),
        ["/list", "/0", ...[10, 11, 12, 13, 14].map((number) => `/${number}`)].toSorted()
      );
    })
  );
});

describe("the cut of a stretch", () => {
  const input = (file: string, startSeconds: number, hasIndex = true) => ({
    file,
    startSeconds,
    probe: {
      durationSeconds: 20,
      startSeconds: 0,
      hasIndex,
      streams: [{ kind: "video" as const, codec: "h264", pixelFormat: null }]
    }
  });
  const both = { video: true, audio: true };
  const seek = (
    range: { readonly startSec: number; readonly endSec: number | null },
    ...inputs: ReadonlyArray<ReturnType<typeof input>>
  ) => {
    const { inputArgs, outputArgs } = planMux(inputs, both, range);
    return [inputs.map(({ file }) => inputArgs(file).join(" ")), outputArgs.join(" ").includes("-t ")];
  };

  it("begins at a key frame within the file, or later if the file does", () => {
    assert.deepStrictEqual(seek({ startSec: 65, endSec: 70 }, input("v", 60), input("a", 64.5)), [
      ["-ss 5.000 -itsoffset 0.000", "-ss 0.500 -itsoffset 0.000"],
      true
    ]);
    assert.deepStrictEqual(seek({ startSec: 65, endSec: null }, input("v", 66)), [
      ["-dts_delta_threshold 20 -ss 0.000 -itsoffset 1.000"],
      false
    ]);
  });

  it("of an MPEG stream begins before it, because nobody knows where its key frames are", () => {
    assert.deepStrictEqual(seek({ startSec: 65, endSec: 70 }, input("v", 60, false)), [
      ["-dts_delta_threshold 20 -ss 0.000 -itsoffset -5.000"],
      true
    ]);
    assert.deepStrictEqual(seek({ startSec: 65, endSec: 70 }, input("v", 0, false)), [
      ["-dts_delta_threshold 20 -ss 50.000 -itsoffset -15.000"],
      true
    ]);
  });
});
