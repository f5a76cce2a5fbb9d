/**
 * A speech model of a few kilobytes for the real sherpa-onnx: its words are tones, and everything loud is a voice. With
 * the inputs and outputs of SenseVoice and of Silero's voice detector, but weights that are set by hand.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import { writeWav } from "@winnow/adapters/test/model/beeps";
import { onnxModel } from "./onnx.ts";

/** The words that the model knows, with their tones in hertz. */
export const TONES = { one: 400, two: 900, three: 2_000 } as const;
export type Word = keyof typeof TONES;
const WORDS = Object.keys(TONES) as ReadonlyArray<Word>;

/** What SenseVoice says before the words: language, mood, kind of sound, spelling. */
const HEAD = ["<|en|>", "<|NEUTRAL|>", "<|Speech|>", "<|woitn|>"];
const TOKENS = ["<blank>", ...HEAD, ...WORDS.map((word) => `\u2581${word}`)];

const MEL_BINS = 80;
const FRAMES_JOINED = 7;
const FEATURES = MEL_BINS * FRAMES_JOINED;

const mel = (hertz: number): number => 1_127 * Math.log(1 + hertz / 700);

/** Filters of Kaldi's features, from 20 Hz to half the sample rate. */
const binOf = (hertz: number): number => {
  const [low, high] = [mel(20), mel(8_000)];
  return Math.round(((mel(hertz) - low) * (MEL_BINS + 1)) / (high - low)) - 1;
};

/** Natural logarithm of a filter's energy: between that of the faint noise and that of a tone. */
const LOUD = 16;

const recogniser = (): Buffer => {
  const weights = Array.from({ length: FEATURES * TOKENS.length }, () => 0);
  const middle = Math.floor(FRAMES_JOINED / 2) * MEL_BINS;
  WORDS.forEach((word, index) => {
    weights[(middle + binOf(TONES[word])) * TOKENS.length + 1 + HEAD.length + index] = 1;
  });
  const bias = TOKENS.map((_, index) => (index === 0 ? 0 : index <= HEAD.length ? -1_000 : -LOUD));
  const head = HEAD.flatMap((_, row) => TOKENS.map((__, index) => (index === row + 1 ? 10 : 0)));
  return onnxModel({
    inputs: [
      { name: "x", type: "float", shape: ["N", "T", FEATURES] },
      { name: "x_length", type: "int32", shape: ["N"] },
      { name: "language", type: "int32", shape: ["N"] },
      { name: "text_norm", type: "int32", shape: ["N"] }
    ],
    outputs: [{ name: "logits", type: "float", shape: ["N", "L", TOKENS.length] }],
    constants: [
      { name: "weights", shape: [FEATURES, TOKENS.length], values: weights },
      { name: "bias", shape: [TOKENS.length], values: bias },
      { name: "head", shape: [1, HEAD.length, TOKENS.length], values: head }
    ],
    nodes: [
      { op: "MatMul", inputs: ["x", "weights"], output: "weighted" },
      { op: "Add", inputs: ["weighted", "bias"], output: "heard" },
      { op: "Concat", inputs: ["head", "heard"], output: "logits", attributes: { axis: 1 } }
    ],
    metadata: {
      model_type: "sense_voice_ctc",
      version: "1",
      vocab_size: String(TOKENS.length),
      lfr_window_size: String(FRAMES_JOINED),
      lfr_window_shift: "6",
      normalize_samples: "0",
      with_itn: "14",
      without_itn: "15",
      lang_auto: "0",
      lang_zh: "3",
      lang_en: "4",
      lang_yue: "7",
      lang_ja: "11",
      lang_ko: "12",
      neg_mean: Array.from({ length: FEATURES }, () => "0").join(),
      inv_stddev: Array.from({ length: FEATURES }, () => "1").join()
    }
  });
};

/** A window with samples above a fiftieth of full scale is a voice. */
const voiceDetector = (): Buffer =>
  onnxModel({
    inputs: [
      { name: "input", type: "float", shape: [1, "samples"] },
      { name: "state", type: "float", shape: [2, 1, 128] },
      { name: "sr", type: "int64", shape: [] }
    ],
    outputs: [
      { name: "output", type: "float", shape: [1, 1] },
      { name: "stateN", type: "float", shape: [2, 1, 128] }
    ],
    constants: [
      { name: "quiet", shape: [1], values: [0.02] },
      { name: "steep", shape: [1], values: [1_000] }
    ],
    nodes: [
      { op: "Abs", inputs: ["input"], output: "size" },
      { op: "ReduceMax", inputs: ["size"], output: "peak", attributes: { axes: [1], keepdims: 1 } },
      { op: "Sub", inputs: ["peak", "quiet"], output: "over" },
      { op: "Mul", inputs: ["over", "steep"], output: "sure" },
      { op: "Sigmoid", inputs: ["sure"], output: "output" },
      { op: "Identity", inputs: ["state"], output: "stateN" }
    ],
    metadata: { version: "5" }
  });

/** Writes the model's folder, named `tones`, and returns it. */
export const makeToneModel = (modelsDir: string): string => {
  const folder = join(modelsDir, "tones");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "model.onnx"), recogniser());
  writeFileSync(join(folder, "tokens.txt"), TOKENS.map((token, index) => `${token} ${index}\n`).join(""));
  writeFileSync(join(folder, "silero_vad.onnx"), voiceDetector());
  return folder;
};

const SAMPLE_HERTZ = 16_000;

/** A word that sounds for 0.6 s from `startSeconds`; null is a hum that is no word. */
export interface Tone {
  readonly word: Word | null;
  readonly startSeconds: number;
  readonly lengthSeconds?: number;
}

const HUM_HERTZ = 5_500;

/** A WAV file with faint noise between the tones, as a room has. */
export const makeTones = (
  folder: string,
  name: string,
  lengthSeconds: number,
  tones: ReadonlyArray<Tone>
): FetchedFile => {
  const samples = new Int16Array(lengthSeconds * SAMPLE_HERTZ);
  for (let at = 0; at < samples.length; at++) samples[at] = ((at * 7_919) % 7) - 3;
  for (const { word, startSeconds, lengthSeconds: length = 0.6 } of tones) {
    const hertz = word === null ? HUM_HERTZ : TONES[word];
    const end = Math.min(samples.length, Math.round((startSeconds + length) * SAMPLE_HERTZ));
    for (let at = Math.round(startSeconds * SAMPLE_HERTZ); at < end; at++)
      samples[at] = Math.round(8_000 * Math.sin((2 * Math.PI * hertz * at) / SAMPLE_HERTZ));
  }
  return writeWav(folder, name, samples, SAMPLE_HERTZ);
};
