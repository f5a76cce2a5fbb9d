/** Recordings in which every word is a beep, and where the beeps of a recording are. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import { fileOf } from "./inputs/media.ts";

export interface Beep {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

const SAMPLE_HERTZ = 8_000;
const BEEP_HERTZ = 440;
const LOUD = 8_000;

/** Eleven periods of the tone, after which its samples repeat. */
const WAVE = Int16Array.from({ length: 200 }, (_, at) =>
  Math.round(LOUD * Math.sin((2 * Math.PI * BEEP_HERTZ * at) / SAMPLE_HERTZ))
);

/** Amplitudes up to this value are a pause. */
const HEARD = 500;

const WINDOW_SECONDS = 0.02;

/** Beeps that fill from `startSeconds` to `endSeconds`: 1.2 s each, 0.8 s apart. */
export const beepsBetween = (startSeconds: number, endSeconds: number): ReadonlyArray<Beep> =>
  Array.from({ length: Math.floor((endSeconds - startSeconds) / 2) }, (_, index) => ({
    startSeconds: startSeconds + index * 2,
    endSeconds: startSeconds + index * 2 + 1.2
  }));

/** A WAV file, named as the audio of a run. */
export const writeWav = (
  folder: string,
  name: string,
  samples: Int16Array,
  sampleHertz: number
): FetchedFile => {
  const header = Buffer.alloc(44);
  header.write("RIFF");
  header.writeUInt32LE(36 + samples.byteLength, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleHertz, 24);
  header.writeUInt32LE(sampleHertz * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.byteLength, 40);
  writeFileSync(join(folder, name), Buffer.concat([header, Buffer.from(samples.buffer)]));
  return { ...fileOf(folder, name), name: "audio.m4a" };
};

/** A WAV file with faint noise under the beeps, as a room has. */
export const makeBeeps = (
  folder: string,
  name: string,
  lengthSeconds: number,
  beeps: ReadonlyArray<Beep>
): FetchedFile => {
  const samples = new Int16Array(lengthSeconds * SAMPLE_HERTZ);
  for (let at = 0; at < samples.length; at++) samples[at] = ((at * 7_919) % 7) - 3;
  for (const { startSeconds, endSeconds } of beeps) {
    const end = Math.min(samples.length, Math.round(endSeconds * SAMPLE_HERTZ));
    for (let at = Math.round(startSeconds * SAMPLE_HERTZ); at < end; at++) {
      samples[at] = WAVE[at % WAVE.length] ?? 0;
    }
  }
  return writeWav(folder, name, samples, SAMPLE_HERTZ);
};

/** Beeps and pauses in chronological order. */
export const pausesAndBeeps = (samples: Int16Array, sampleHertz: number) => {
  const size = Math.round(WINDOW_SECONDS * sampleHertz);
  const found: Array<{ isLoud: boolean; startSeconds: number; endSeconds: number }> = [];
  for (let at = 0; at + size <= samples.length; at += size) {
    const isLoud = samples.subarray(at, at + size).some((sample) => Math.abs(sample) > HEARD);
    const last = found.at(-1);
    const endSeconds = (at + size) / sampleHertz;
    if (last?.isLoud === isLoud) last.endSeconds = endSeconds;
    else found.push({ isLoud, startSeconds: at / sampleHertz, endSeconds });
  }
  return { beeps: found.filter(({ isLoud }) => isLoud), pauses: found.filter(({ isLoud }) => !isLoud) };
};
