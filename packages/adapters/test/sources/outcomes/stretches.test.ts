// @module-tag long
/** Stretches of videos, by the real programs: what their files show and say is that of the whole, at its times. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { assert, describe, it as test, layer } from "@effect/vitest";
import { AUDIO_FILE, VIDEO_FILE } from "@winnow/core/domain/result/ArtifactName";
import { RANGE_HINT, type TimeRange } from "@winnow/core/domain/source/TimeRange";
import type { Fetched } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { planMux } from "../../../src/sources/fetch/fetchMedia.ts";
import { downloaderOf, openSite, temporaryFolder } from "../harness.ts";
import { CAPTIONS, SECONDS } from "../site/media.ts";
import { fetch, textOf } from "./outcome.ts";

const site = await openSite();
const run = promisify(execFile);

const FRAMES_PER_SECOND = 15;

/** Sound begins and ends this close to a stretch, in seconds; a packet of it has 23 ms. */
const SOUND_SECONDS = 0.1;

/** Of each frame that a player shows. */
const frameHashes = async (file: string): Promise<ReadonlyArray<string>> => {
  const options = ["-v", "error", "-i", file, "-map", "0:v:0", "-f", "framemd5", "-"];
  const { stdout } = await run("ffmpeg", options);
  return stdout.split("\n").flatMap((line) => /^0,.*,\s*([0-9a-f]{32})$/u.exec(line)?.[1] ?? []);
};

interface Packet {
  readonly kind: string;
  readonly atSeconds: number;
  readonly hash: string;
}

const packets = async (file: string): Promise<ReadonlyArray<Packet>> => {
  const options =
    "-v error -show_data_hash md5 -show_entries packet=codec_type,pts_time,data_hash -of csv=p=0";
  const { stdout } = await run("ffprobe", [...options.split(" "), file]);
  return stdout.split("\n").flatMap((line) => {
    const [, kind = "", time, hash] = /^(\w+),(-?[\d.]+),(?:MD5:)?(\w+)/u.exec(line) ?? [];
    return hash === undefined ? [] : [{ kind, atSeconds: Number(time), hash }];
  });
};

const soundOf = (all: ReadonlyArray<Packet>): ReadonlyArray<Packet> =>
  all.filter(({ kind }) => kind === "audio");

const talk = `${site.folder}/talk.mp4`;
const talkFrames = await frameHashes(talk);
const talkSound = soundOf(await packets(talk));

const pathOf = ({ files }: Fetched, name: string): string => {
  const source = files.find((file) => file.name === name)?.source;
  return source?._tag === "LocalFile" ? source.path : assert.fail(`${name} is missing`);
};

/** Firefox shows also what is before a stretch, which begins that much later there. */
const LEAD_IN_SECONDS = 0.2;

/** Shows the frames of the stretch, and no others. */
const assertFrames = async (file: string, { startSec, endSec }: TimeRange): Promise<void> => {
  const shown = await frameHashes(file);
  const first = talkFrames.indexOf(shown[0] ?? assert.fail("no frames"));
  assert.approximately(first, startSec * FRAMES_PER_SECOND, 1);
  assert.deepStrictEqual(shown, talkFrames.slice(first, first + shown.length));
  const last = Math.min(endSec ?? SECONDS, SECONDS) * FRAMES_PER_SECOND;
  assert.approximately(first + shown.length, last, 2);
};

const assertSound = (all: ReadonlyArray<Packet>, { startSec, endSec }: TimeRange): void => {
  const heard = soundOf(all);
  const hashes = heard.map(({ hash }) => hash).join();
  const first = talkSound.findIndex(
    ({ atSeconds }, index) =>
      Math.abs(atSeconds - startSec) <= SOUND_SECONDS &&
      talkSound
        .slice(index, index + heard.length)
        .map(({ hash }) => hash)
        .join() === hashes
  );
  assert.isAtLeast(first, 0, "the sound of the stretch");
  const endSeconds = talkSound[first + heard.length - 1]?.atSeconds ?? assert.fail();
  assert.approximately(endSeconds, Math.min(endSec ?? SECONDS, SECONDS), SOUND_SECONDS);
  assert.isAtMost(Math.abs(heard[0]?.atSeconds ?? 1), SOUND_SECONDS);
};

/** Shows and plays the stretch, and nothing else. */
const assertVideo = async (file: string, range: TimeRange): Promise<void> => {
  const all = await packets(file);
  const times = all.filter(({ kind }) => kind === "video").map(({ atSeconds }) => atSeconds);
  assert.isAtLeast(Math.min(...times), -LEAD_IN_SECONDS);
  assertSound(all, range);
  await assertFrames(file, range);
};

const MIDDLE: TimeRange = { startSec: 2.5, endSec: 6.2 };

const stretch = (path: string, range: TimeRange, wants: ReadonlyArray<"audio" | "video" | "transcript">) =>
  fetch(site.url + path, { range, wantsOf: () => wants });

const lengthOf = ({ startSec, endSec }: TimeRange): number => Math.min(endSec ?? SECONDS, SECONDS) - startSec;

describe("The cut of an MPEG stream", () => {
  const H264 = { kind: "video", codec: "h264", pixelFormat: "yuv420p" } as const;
  const AAC = { kind: "audio", codec: "aac", pixelFormat: null } as const;

  /** A segment with the talk twice. */
  const cut = async (range: TimeRange): Promise<string> => {
    const folder = temporaryFolder();
    const file = `${folder}/segment.ts`;
    await run("ffmpeg", ["-v", "error", "-stream_loop", "1", "-i", talk, "-c", "copy", file]);
    const probe = { durationSeconds: null, startSeconds: 0, hasIndex: false, streams: [H264, AAC] };
    const { inputArgs, outputArgs } = planMux(
      [{ file, probe, startSeconds: 0 }],
      { video: true, audio: false },
      range
    );
    await run("ffmpeg", ["-v", "error", ...inputArgs(file), "-i", file, ...outputArgs], { cwd: folder });
    return `${folder}/${VIDEO_FILE}`;
  };

  test("shows and plays the stretch, however far within a segment it begins", async () => {
    const file = await cut({ startSec: SECONDS + 3, endSec: SECONDS + 6 });
    assert.isNotEmpty(await frameHashes(file));
    await assertVideo(file, { startSec: 3, endSec: 6 });
  });

  test("has nothing in it if the segment ends before the stretch begins", async () => {
    assert.lengthOf(await frameHashes(await cut({ startSec: 2 * SECONDS + 3, endSec: 2 * SECONDS + 6 })), 0);
  });
});

layer(downloaderOf(site, temporaryFolder()), { excludeTestServices: true })((it) => {
  describe("The files of a stretch", () => {
    for (const [source, path, range] of [
      ["a file", "/media/talk.mp4", MIDDLE],
      ["a file, at its very end and beyond", "/watch/og", { startSec: 9.5, endSec: 60 }],
      ["a file, shorter than a frame", "/media/talk.mp4", { startSec: 2.5, endSec: 2.501 }],
      ["a file of a server that sends only whole ones", "/mistyped/talk", MIDDLE],
      ["HLS with separate sound", "/watch/hls", MIDDLE],
      ["HLS, at its very end", "/media/hls/master.m3u8", { startSec: 9.5, endSec: null }],
      ["DASH", "/watch/dash", { startSec: 3, endSec: 7.5 }],
      ["DASH with too great a length of all", "/media/dash/nominal-2.2.mpd", { startSec: 6.8, endSec: 7.8 }],
      ["DASH with too small a length of all", "/media/dash/nominal-1.8.mpd", { startSec: 5.5, endSec: 7 }]
    ] as const) {
      it.effect(`of ${source} show and play it, and nothing else`, () =>
        Effect.gen(function* () {
          const fetched = yield* stretch(path, range, ["audio", "video"]);
          assert.approximately(fetched.measuredDurationSeconds ?? 0, lengthOf(range), 0.15);
          assert.approximately(fetched.facts.durationSeconds ?? 0, SECONDS, 0.5);
          yield* Effect.promise(() => assertVideo(pathOf(fetched, VIDEO_FILE), range));
          assertSound(yield* Effect.promise(() => packets(pathOf(fetched, AUDIO_FILE))), range);
        }).pipe(Effect.scoped)
      );
    }

    for (const [source, path] of [
      ["a recording of sound", "/media/talk.m4a"],
      ["HLS with sound from before its pictures", "/media/hls/both.m3u8"]
    ] as const) {
      it.effect(`of ${source} play it`, () =>
        Effect.gen(function* () {
          const fetched = yield* stretch(path, MIDDLE, ["audio"]);
          assert.approximately(fetched.measuredDurationSeconds ?? 0, lengthOf(MIDDLE), 0.15);
          assertSound(yield* Effect.promise(() => packets(pathOf(fetched, AUDIO_FILE))), MIDDLE);
        }).pipe(Effect.scoped)
      );
    }

    it.effect(
      "of a video that does not tell its length, in codecs that browsers do not play, are as long",
      () =>
        Effect.gen(function* () {
          const fetched = yield* stretch("/watch/nodur", MIDDLE, ["audio", "video"]);
          assert.isNull(fetched.facts.durationSeconds);
          assert.approximately(fetched.measuredDurationSeconds ?? 0, lengthOf(MIDDLE), 0.15);
        }).pipe(Effect.scoped)
    );

    it.effect("are refused if they end later than a video may", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(
          fetch(`${site.url}/watch/nodur`, {
            range: { startSec: 6, endSec: 9 },
            wantsOf: () => ["video"],
            maxDurationSeconds: 5
          })
        );
        assert.strictEqual(failure.reason, "too_long");
      }).pipe(Effect.scoped)
    );

    it.effect("are missing if the video ends before, whatever its page claims", () =>
      Effect.gen(function* () {
        for (const path of ["/media/talk.mp4", "/watch/nodur"]) {
          const failure = yield* Effect.flip(stretch(path, { startSec: 40, endSec: 50 }, ["video"]));
          assert.deepInclude(failure, {
            reason: "input_unavailable",
            message: "The video ends before the stretch of `range` begins.",
            hint: RANGE_HINT
          });
        }
      }).pipe(Effect.scoped)
    );
  });

  it.effect("Only the segments of a stretch are requested", () =>
    Effect.gen(function* () {
      yield* stretch("/watch/hls", MIDDLE, []);
      yield* stretch("/watch/dash", MIDDLE, []);
      site.hits.length = 0;
      yield* stretch("/watch/hls", MIDDLE, ["audio", "video"]);
      yield* stretch("/watch/dash", MIDDLE, ["video"]);
      const segments = site.hits.filter((path) => /\.(?:ts|m4s)$/u.test(path)).toSorted();
      assert.deepStrictEqual(segments, [
        ...[0, 1].flatMap((each) =>
          [2, 3, 4].map((number) => `/media/dash/chunk-stream${each}-0000${number}.m4s`)
        ),
        "/media/dash/init-stream0.m4s",
        "/media/dash/init-stream1.m4s",
        ...["audio", "video"].flatMap((name) => [1, 2, 3].map((number) => `/media/hls/${name}_${number}.ts`))
      ]);
    }).pipe(Effect.scoped)
  );

  it.effect("The words of a stretch are the captions that it shows, with the times of the video", () =>
    Effect.gen(function* () {
      const [first = "", second = "", third = ""] = CAPTIONS.en;
      for (const path of ["/watch/talk", "/watch/hls"]) {
        const fetched = yield* stretch(path, MIDDLE, ["transcript"]);
        assert.strictEqual(textOf(fetched, "transcript.txt"), `${first}\n${second}\n`);
        const { segments } = JSON.parse(textOf(fetched, "transcript.json"));
        assert.deepStrictEqual(
          segments.map(({ startSec }: { readonly startSec: number }) => startSec),
          [0, 3.333]
        );
        assert.match(textOf(fetched, "subtitles.de.srt"), /^2\n00:00:03,333 --> 00:00:06,66/mu);
        assert.notInclude(textOf(fetched, "subtitles.en.vtt"), third);
      }
      const after = yield* stretch("/watch/talk", { startSec: 40, endSec: 50 }, ["transcript"]);
      assert.deepStrictEqual(
        [after.files.map(({ name }) => name), after.failedLookups, after.warnings],
        [["thumbnail.jpg", "description.txt"], {}, []]
      );
    }).pipe(Effect.scoped)
  );
});
