// @module-tag long
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as fc from "fast-check";
import { readMovieHeader } from "../../src/sources/inspect/movieHeader.ts";
import { temporaryFolder } from "./harness.ts";

const folder = temporaryFolder();

const SOURCE = "-f lavfi -i testsrc2=size=64x48:rate=25:duration=9 -f lavfi -i sine=duration=10.123";

const CODECS = "-c:v libx264 -preset ultrafast -c:a aac";

/** Created by ffmpeg. */
const made = (name: string, options: string): Buffer => {
  execFileSync("ffmpeg", `-nostdin -v error -y ${SOURCE} ${options} ${name}`.split(" "), { cwd: folder });
  return readFileSync(join(folder, name));
};

const ffprobeSeconds = (name: string): number => {
  const options = "-v error -show_entries format=duration -of csv=p=0";
  return Number(execFileSync("ffprobe", [...options.split(" "), join(folder, name)]).toString());
};

const PIECE_BYTES = 16_384;

/** Reads like an inspection: piece by piece, each at the offset that the previous one returned. */
const lengthIn = (file: Buffer): number | null => {
  let start = 0;
  for (let piece = 0; piece < 3; piece++) {
    const header = readMovieHeader(file.subarray(start, start + PIECE_BYTES));
    if (header?._tag !== "Later") return header?.durationSeconds ?? null;
    start += header.offset;
  }
  return null;
};

const box = (type: string, ...contents: ReadonlyArray<Buffer>): Buffer => {
  const content = Buffer.concat([Buffer.from(type, "latin1"), ...contents]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length + 4);
  return Buffer.concat([length, content]);
};

/** Version 1: two times and the duration have 8 bytes each, the timescale has 4. */
const longHeader = (timescale: number, units: bigint): Buffer => {
  const content = Buffer.alloc(100);
  content[0] = 1;
  content.writeUInt32BE(timescale, 20);
  content.writeBigUInt64BE(units, 24);
  return box("mvhd", content);
};

const track = (handler: string): Buffer =>
  box("trak", box("mdia", box("hdlr", Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(12))));

describe("readMovieHeader", () => {
  it("returns the same duration as ffprobe, wherever the header is", () => {
    const files = [
      ["first.mp4", `${CODECS} -movflags +faststart`],
      ["last.mp4", CODECS],
      ["last.mov", `${CODECS} -movie_timescale 90000`],
      ["cut.mp4", `${CODECS} -ss 1.3 -t 4`],
      ["sound.m4a", "-vn -c:a aac"]
    ] as const;
    for (const [name, options] of files) {
      assert.strictEqual(lengthIn(made(name, options)), ffprobeSeconds(name), name);
    }
  });

  it("leaves files without the duration in their header to ffprobe", () => {
    assert.isNull(lengthIn(made("fragments.mp4", `${CODECS} -movflags frag_keyframe`)));
    assert.isNull(lengthIn(made("empty.mp4", `${CODECS} -movflags frag_keyframe+empty_moov`)));
    assert.isNull(lengthIn(made("sound.mp3", "-vn")));
    assert.isNull(lengthIn(made("sound.wav", "-vn")));
    assert.isNull(lengthIn(Buffer.from("WEBVTT\n\n00:00.000 --> 00:01.000\nText\n")));
  });

  it("accepts a header only with a video or audio track and a duration", () => {
    const movie = (...boxes: ReadonlyArray<Buffer>) => readMovieHeader(box("moov", ...boxes));
    const header = longHeader(1_000, 2_500n);
    assert.deepStrictEqual(movie(header, track("text"), track("soun")), {
      _tag: "Movie",
      durationSeconds: 2.5
    });
    assert.isNull(movie(header, track("text")));
    assert.isNull(movie(header));
    assert.isNull(movie(track("vide")));
    assert.isNull(movie(longHeader(0, 2_500n), track("vide")));
    assert.isNull(movie(longHeader(1_000, 0n), track("vide")));
    assert.isNull(movie(longHeader(2 ** 32 - 1, 1n), track("vide")));
    assert.isNull(movie(longHeader(1_000, 2n ** 64n - 1n), track("vide")));
    assert.isNull(movie(header, track("vide"), box("mvex")));
  });

  it("reads any bytes without throwing", () => {
    const movie = made("hostile.mp4", `${CODECS} -t 1 -movflags +faststart`).subarray(0, 4_096);
    const where = fc.nat(movie.length - 1);
    fc.assert(
      fc.property(where, fc.uint8Array({ maxLength: 24 }), where, (at, bytes, end) => {
        const damaged = Buffer.from(movie);
        damaged.set(bytes.subarray(0, damaged.length - at), at);
        const header = readMovieHeader(damaged.subarray(0, end));
        const told = header?._tag === "Movie" ? header.durationSeconds : (header?.offset ?? 1);
        assert.isTrue(Number.isFinite(told) && told > 0);
      }),
      { numRuns: 20_000 }
    );
  });
});
