/** Look-ups of captions that a source has listed, from the words of yt-dlp on. */
import { assert, describe, it } from "@effect/vitest";
import { Egress } from "@winnow/isolation/network/Egress";
import { serve } from "@winnow/isolation/test/network/LoopbackServer";
import { quietEgress } from "@winnow/isolation/test/network/QuietEgress";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import { DEFAULT_LIMITS } from "../../src/sources/DownloadLimits.ts";
import { Failed } from "@winnow/core/domain/source/Failed";
import { isForced } from "@winnow/core/domain/text/LanguageTag";
import type { Captions } from "@winnow/core/domain/source/SourceFacts";
import { askAgain } from "../../src/sources/inspect/lookups.ts";
import type { FetchContext } from "../../src/sources/fetch/FetchContext.ts";
import { fetchSubtitles } from "../../src/sources/fetch/fetchSubtitles.ts";
import type { VideoSource } from "../../src/sources/inspect/Inspection.ts";
import { findLabels, type StreamServices } from "../../src/sources/inspect/StreamInspection.ts";
import { readTracks } from "../../src/sources/inspect/subtitleTracks.ts";
import { readInfo } from "../../src/sources/yt-dlp/InfoDict.ts";

const refusing = (times: number, retryAfterSeconds: number) => {
  const refused = new Failed({ reason: "rate_limited", message: "Too many requests.", retryAfterSeconds });
  const asked = { times: 0 };
  const ask = Effect.suspend((): Effect.Effect<string, Failed> => {
    asked.times += 1;
    return asked.times <= times ? Effect.fail(refused) : Effect.succeed("there");
  });
  return { asked, ask: Effect.result(askAgain(ask, DEFAULT_LIMITS)) };
};

describe("a look-up", () => {
  it.effect("that is refused is made three times in all", () =>
    Effect.gen(function* () {
      for (const [times, tag] of [
        [0, "Success"],
        [2, "Success"],
        [3, "Failure"]
      ] as const) {
        const { ask, asked } = refusing(times, 0);
        assert.strictEqual((yield* ask)._tag, tag);
        assert.strictEqual(asked.times, Math.min(3, times + 1));
      }
    })
  );

  it.effect("waits as long as the source demands, up to 30 s", () =>
    Effect.gen(function* () {
      const { ask, asked } = refusing(1, 30);
      const fiber = yield* Effect.forkChild(ask);
      yield* TestClock.adjust("29 seconds");
      assert.strictEqual(asked.times, 1);
      yield* TestClock.adjust("1 second");
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Success");
      const longer = refusing(1, 31);
      assert.strictEqual((yield* longer.ask)._tag, "Failure");
      assert.strictEqual(longer.asked.times, 1);
    })
  );
});

/** A file of captions that is refused as often as the URL says, with a delay in seconds and an optional body. */
const captionsSite = Effect.suspend(() => {
  let asked = 0;
  return serve((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://site");
    asked += 1;
    const wait = searchParams.get("wait");
    const bytes = searchParams.get("base64");
    if (asked > Number(searchParams.get("refuse")))
      return void response
        .writeHead(200, { "content-type": "text/vtt" })
        .end(bytes === null ? "WEBVTT\n\n00:00.000 --> 00:01.000\nAt last.\n" : Buffer.from(bytes, "base64"));
    response.writeHead(
      Number(searchParams.get("status") ?? 429),
      wait === null ? {} : { "retry-after": wait }
    );
    response.end(searchParams.get("body") ?? "");
  });
});

/** What yt-dlp answers for a page with a video and one track. */
const infoOf = (captionsUrl: string) =>
  readInfo({
    extractor: "html5",
    extractor_key: "HTML5MediaEmbed",
    id: "refused-1",
    title: "Refused captions (1)",
    webpage_url: new URL("/watch/refused", captionsUrl).href,
    formats: [{ format_id: "0", ext: "mp4", protocol: "http", url: new URL("/talk.mp4", captionsUrl).href }],
    subtitles: { en: [{ url: captionsUrl, ext: "vtt" }] }
  }) ?? assert.fail("no info");

/** yt-dlp is asked again only if the inspection was `refused`: it tells of automatic captions then. */
const fetch = Effect.fnUntraced(function* (
  query: string,
  captions: Captions = "any",
  refused: Failed | null = null
) {
  const site = yield* captionsSite;
  const info = infoOf(`${site.url}/captions.vtt?${query}`);
  return yield* Effect.gen(function* () {
    const context = {
      request: { url: info.webpageUrl, wants: ["transcript"], captions },
      ytDlp: {
        inspect: () =>
          Effect.succeed({ ok: true, info: { ...info.raw, automatic_captions: info.raw["subtitles"] } })
      },
      egress: yield* Egress,
      limits: { ...DEFAULT_LIMITS, lookupRetryMs: 10 }
    } as unknown as FetchContext;
    const source = { _tag: "Video", info, tracks: readTracks(info), captionsRefused: refused };
    return yield* fetchSubtitles(context, source as unknown as VideoSource);
  }).pipe(Effect.provide(quietEgress({ allow: [site.authority] })));
});

describe("captions of a source", () => {
  it.live("of another kind than chosen are not fetched, and no look-up has failed", () =>
    Effect.gen(function* () {
      const { failedLookups, files } = yield* fetch("refuse=9", "automatic");
      assert.deepStrictEqual([failedLookups, files], [{}, []]);
      assert.include((yield* fetch("refuse=0", "people")).files, "transcript.txt");
    })
  );

  it.live("are asked for again if those of the choice were refused, though others were told of", () =>
    Effect.gen(function* () {
      const refused = new Failed({ reason: "rate_limited", message: "Too many requests." });
      const { files, texts } = yield* fetch("refuse=0", "automatic", refused);
      assert.include(files, "transcript.txt");
      assert.strictEqual(JSON.parse(texts.get("transcript.json") ?? "").origin, "automatic");
    })
  );

  it.live("that refuses them once and gives them a second later are found", () =>
    Effect.gen(function* () {
      const fetched = yield* fetch("refuse=1&wait=1");
      assert.deepStrictEqual(fetched.failedLookups, {});
      assert.include(fetched.files, "transcript.txt");
    })
  );

  for (const [query, reason] of [
    ["refuse=9", "rate_limited"],
    ["refuse=9&status=503", "unreachable"],
    ["refuse=9&status=403", "bot_blocked"],
    // The source lists captions, so these responses do not mean that there are none.
    ["refuse=9&status=404", "unreachable"],
    ["refuse=9&status=410", "unreachable"],
    // The empty response of YouTube to programs without a token, and the page that a bot wall sends in place of a
    // file.
    ["refuse=9&status=200", "bot_blocked"],
    ["refuse=9&status=200&body=%3C!doctype%20html%3E%3Cp%3EWho%20are%20you%3F", "bot_blocked"]
  ] as const) {
    it.live(`that refuses them permanently (${query}) is not reported as having none`, () =>
      Effect.gen(function* () {
        const { failedLookups } = yield* fetch(query);
        assert.strictEqual(failedLookups.transcript?.reason, reason);
      })
    );
  }

  const base64 = (bytes: Uint8Array): string => encodeURIComponent(Buffer.from(bytes).toString("base64"));
  const utf8 = (text: string): string => base64(new TextEncoder().encode(text));
  const wide = (text: string): string => base64(Buffer.from(`\ufeff${text}`, "utf16le"));
  const cue = (words: string): string => `WEBVTT\n\n00:00.000 --> 00:01.000\n${words}\n`;
  const segmented = (...segments: ReadonlyArray<string>): string =>
    `#EXTM3U\n${segments.map((text) => `#EXTINF:1,\n?base64=${utf8(text)}\n`).join("")}#EXT-X-ENDLIST\n`;
  /** "Привет, как дела сегодня вечером?" in windows-1251. */
  const cyrillic = Buffer.concat([
    Buffer.from("WEBVTT\n\n00:00.000 --> 00:01.000\n"),
    Buffer.from("cff0e8e2e5f22c20eae0ea20e4e5ebe020f1e5e3eee4edff20e2e5f7e5f0eeec3f0a", "hex")
  ]);

  for (const [what, bytes, words] of [
    ["in windows-1251", base64(cyrillic), "Привет, как дела сегодня вечером?\n"],
    ["in UTF-16", wide(cue("Широко")), "Широко\n"],
    [
      "as TTML",
      utf8(
        '<tt xmlns="http://www.w3.org/ns/ttml"><body><p begin="0s" end="1s">Timed<br/>text</p></body></tt>'
      ),
      "Timed\ntext\n"
    ]
  ] as const) {
    it.live(`${what} are found, and stored in UTF-8`, () =>
      Effect.gen(function* () {
        const { failedLookups, texts } = yield* fetch(`base64=${bytes}`);
        assert.deepStrictEqual(failedLookups, {});
        assert.strictEqual(texts.get("transcript.txt"), words);
        assert.include(texts.get("subtitles.en.vtt") ?? "", words);
      })
    );
  }

  for (const [what, bytes] of [
    ["in an unknown encoding", base64(Buffer.concat([Buffer.from(cue("")), Buffer.from("e9f1e0", "hex")]))],
    ["in an unknown format", utf8("These are captions, perhaps.")],
    [
      "with a time in one segment that nobody can tell",
      utf8(segmented(cue("One"), cue("Two").replace(/0/u, "x")))
    ],
    ["without a caption", utf8("WEBVTT\n\nNOTE nothing said yet\n")]
  ] as const) {
    it.live(`${what} are not reported as missing, and not asked for again`, () =>
      Effect.gen(function* () {
        const { failedLookups, files } = yield* fetch(`base64=${bytes}`);
        assert.deepStrictEqual(files, []);
        assert.deepInclude(failedLookups.transcript, {
          reason: "input_unavailable",
          message: "The source lists captions, but their file has none that can be read."
        });
      })
    );
  }

  it.live("that are missing are reported like captions that are listed and not available", () =>
    Effect.gen(function* () {
      const { failedLookups } = yield* fetch("refuse=9&status=404");
      assert.strictEqual(
        failedLookups.transcript?.message,
        "The source lists it, but its URL does not work."
      );
    })
  );
});

/** A playlist and a manifest, each with a file of subtitles of signs only. */
const MANIFESTS: Readonly<Record<string, string>> = {
  "/master.m3u8": `#EXTM3U
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="en",LANGUAGE="en",FORCED=YES,URI="signs.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="en",LANGUAGE="en",URI="full.m3u8"
`,
  "/a.mpd": `<MPD><Period><AdaptationSet><Role value="forced-subtitle"/><Representation><BaseURL>signs.vtt</BaseURL>
</Representation></AdaptationSet></Period></MPD>`
};

describe("the manifests of a platform's video", () => {
  it.effect(
    "tell which of its subtitles are of signs only, and are read only if it has subtitles of a stream",
    () =>
      Effect.gen(function* () {
        const site = yield* serve(({ url = "" }, response) => {
          const text = MANIFESTS[url];
          response.writeHead(text === undefined ? 404 : 200).end(text);
        });
        yield* Effect.gen(function* () {
          const services = { egress: yield* Egress, limits: DEFAULT_LIMITS } as unknown as StreamServices;
          const found = (subtitles: object) => {
            const formats = ["master.m3u8", "a.mpd", "gone.m3u8"].map((name) => ({
              url: `${site.url}/media`,
              manifest_url: `${site.url}/${name}`
            }));
            return findLabels(
              readInfo({ extractor_key: "Vimeo", formats, subtitles }) ?? assert.fail("no info"),
              services
            );
          };
          assert.deepStrictEqual(yield* found({ en: [{ url: `${site.url}/file.vtt` }] }), []);
          assert.strictEqual(site.requests.length, 0);
          for (const mark of [{ protocol: "m3u8_native" }, { manifest_url: `${site.url}/a.mpd` }]) {
            const labels = yield* found({ en: [{ url: `${site.url}/signs.m3u8`, ...mark }] });
            assert.deepStrictEqual(
              labels.filter(({ label }) => isForced(label)).map((each) => each.url),
              [`${site.url}/signs.m3u8`, `${site.url}/signs.vtt`]
            );
          }
        }).pipe(Effect.provide(quietEgress({ allow: [site.authority] })));
      })
  );
});
