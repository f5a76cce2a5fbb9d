/**
 * The outcome for one page: its facts and all files of a full fetch, or the failures of inspection and fetch.
 */
import { contentOf } from "../harness.ts";
import { assert } from "@effect/vitest";
import { contentTypeOf } from "@winnow/core/domain/result/ArtifactName";
import { MODALITIES } from "@winnow/core/domain/source/Modality";
import type { SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import { Downloader, type Fetched, type FetchRequest } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import type { Site } from "../site/Site.ts";

export const inspect = (url: string) =>
  Downloader.use((downloader) => downloader.inspect(url, {})).pipe(Effect.catchTag("Busy", Effect.die));

export const fetch = (url: string, over: Partial<FetchRequest> = {}) =>
  Downloader.use((downloader) =>
    downloader.fetch({
      url,
      maxDurationSeconds: 3_600,
      wantsOf: () => MODALITIES,
      ...over
    })
  );

/** First bytes of each kind of file, whatever its name. */
const BEGINS: Readonly<Record<string, RegExp>> = {
  "video/mp4": /^.{4}ftyp/su,
  "audio/mp4": /^.{4}ftypM4A/su,
  "image/jpeg": /^\u00ff\u00d8\u00ff/u,
  "text/vtt; charset=utf-8": /^WEBVTT/u,
  "application/x-subrip; charset=utf-8": /^1\n\d\d:\d\d:\d\d,\d{3} --> /u,
  "application/json": /^[[{]/u,
  "text/plain; charset=utf-8": /\S/u,
  "text/markdown; charset=utf-8": /\S/u
};

export const bytesOf = ({ files }: Fetched, name: string): Buffer => {
  const file = files.find((each) => each.name === name);
  return file === undefined ? assert.fail(`${name} is missing`) : contentOf(file);
};

export const textOf = (fetched: Fetched, name: string): string => bytesOf(fetched, name).toString("utf8");

export interface Expected {
  readonly facts: Omit<SourceFacts, "webpageUrl">;
  readonly files: ReadonlyArray<string>;
  /** Null where no media is fetched. */
  readonly measuredSeconds?: number | null;
  readonly warnings?: ReadonlyArray<string>;
  /** In the video's file: VP9 is copied, for browsers play it in MP4; what they do not play is converted. */
  readonly codecs?: ReadonlyArray<string>;
}

/** No facts by default; those of a page override them. */
export const UNTOLD: Omit<SourceFacts, "webpageUrl"> = {
  kind: "video",
  title: null,
  uploader: null,
  description: null,
  thumbnailUrl: null,
  durationSeconds: null,
  viewCount: null,
  likeCount: null,
  commentCount: null,
  uploadDate: null,
  hasSubtitles: false,
  hasComments: false,
  imageCount: 0
};

const TOLERANCE_SECONDS = 0.5;

/** Players can stream it: its index is before its media, and its sound is not Opus. */
const assertStreams = (video: string, codecs: ReadonlyArray<string>): void => {
  assert.isBelow(video.indexOf("moov"), video.indexOf("mdat"));
  assert.notInclude(video, "Opus");
  for (const codec of codecs) assert.include(video, codec);
};

/** Pages in HTML, which yt-dlp gets from our own reader. */
const SHARED = /^\/(?:watch|article|carousel)\b/u;

/**
 * Platforms count requests: such a page is asked for once, whoever reads it, a manifest at most twice, and a segment
 * once for all outputs.
 */
const assertAskedSparingly = (hits: ReadonlyArray<string>, page: string): void => {
  for (const [path, { length }] of Map.groupBy(hits, (path) => path)) {
    if (/\.(?:m3u8|mpd)$/u.test(path)) assert.isAtMost(length, 2, path);
    if (path.endsWith(".ts")) assert.strictEqual(length, 1, path);
    if (path === page && SHARED.test(page)) assert.strictEqual(length, 1, path);
  }
};

/** Checks every field of the facts, every file with its type and size, and what was asked for. */
export const assertOutcome = Effect.fnUntraced(function* (site: Site, path: string, expected: Expected) {
  const url = site.url + path;
  site.hits.length = 0;
  const { webpageUrl, durationSeconds, captionLanguages = [], ...facts } = yield* inspect(url);
  assert.strictEqual(captionLanguages.length > 0, facts.hasSubtitles);
  const { durationSeconds: expectedSeconds, ...expectedFacts } = expected.facts;
  assert.deepStrictEqual(facts, expectedFacts);
  assert.strictEqual(durationSeconds === null, expectedSeconds === null, `${durationSeconds} s`);
  assert.approximately(durationSeconds ?? 0, expectedSeconds ?? 0, TOLERANCE_SECONDS);
  assert.match(webpageUrl, /^http:\/\/127\.0\.0\.1:\d+\//u);
  const fetched = yield* fetch(url);
  assert.deepStrictEqual(
    [fetched.files.map(({ name }) => name), fetched.failedLookups, fetched.warnings],
    [expected.files, {}, expected.warnings ?? []]
  );
  for (const { name, contentType, sizeBytes } of fetched.files) {
    const bytes = bytesOf(fetched, name);
    assert.deepStrictEqual([contentType, sizeBytes], [contentTypeOf(name), bytes.length], name);
    assert.match(bytes.toString("latin1", 0, 64), BEGINS[contentType] ?? /^$/u, name);
    if (name === "video.mp4") assertStreams(bytes.toString("latin1"), expected.codecs ?? []);
  }
  const measured = expected.measuredSeconds ?? null;
  assert.strictEqual(fetched.measuredDurationSeconds === null, measured === null, "measured or not");
  assert.approximately(fetched.measuredDurationSeconds ?? 0, measured ?? 0, TOLERANCE_SECONDS);
  assertAskedSparingly(site.hits, path);
  return fetched;
}, Effect.scoped);
