/**
 * Entry point of a process that recognises the speech of one recording after another. It gets the sound piece by
 * piece; the voice detector finds what is spoken, and only that is recognised. Does not load Effect, so that it
 * starts fast. Settings of the detector: only with the word error rate of a real model (README). Tests: LocalTranscriber.test.ts.
 */
import { createRequire } from "node:module";
import { serveTasks } from "@winnow/isolation/process/serveTasks";
import {
  type BeginTask,
  type RecogniserAnswer,
  type RecogniserTask,
  SAMPLE_HERTZ,
  type Utterance
} from "./RecogniserMessages.ts";
import { BREATH_SAMPLES, makeKeptSound, makePhrases, type Part, WINDOW_SAMPLES } from "./Phrases.ts";
import type { ModelFiles } from "./SpeechModels.ts";

// What is used of sherpa-onnx-node, which has no types.

interface Stream {
  readonly acceptWaveform: (wave: { readonly samples: Float32Array; readonly sampleRate: number }) => void;
}

interface Recogniser {
  readonly createStream: () => Stream;
  readonly decode: (stream: Stream) => void;
  readonly getResult: (stream: Stream) => {
    readonly text?: string;
    readonly lang?: string;
    readonly tokens?: ReadonlyArray<string>;
    readonly timestamps?: ReadonlyArray<number>;
    /** Of Whisper: what it says between two of its time marks, in seconds. */
    readonly segment_texts?: ReadonlyArray<string>;
    readonly segment_timestamps?: ReadonlyArray<number>;
    readonly segment_durations?: ReadonlyArray<number>;
  };
  readonly setConfig: (config: object) => void;
}

interface VoiceDetector {
  readonly acceptWaveform: (samples: Float32Array) => void;
  readonly isEmpty: () => boolean;
  readonly isDetected: () => boolean;
  readonly front: (external: boolean) => { readonly start: number; readonly samples: Float32Array };
  readonly pop: () => void;
  readonly flush: () => void;
}

interface Sherpa {
  readonly OfflineRecognizer: new (config: object) => Recogniser;
  readonly Vad: new (config: object, bufferSeconds: number) => VoiceDetector;
}

const sherpa = createRequire(import.meta.url)("sherpa-onnx-node") as Sherpa;

/** From here on a shorter pause ends an utterance, so that few have to be cut where nobody pauses (Phrases). */
const UTTERANCE_SECONDS_MAX = 18;

/** The detector's own memory: several such utterances, which are taken from it window by window. */
const BUFFER_SECONDS = 60;

/**
 * Durations in seconds. Threshold and shortest speech are Silero's own defaults; its own
 * pause is 0.1.
 */
const detectorConfig = ({ threads, voiceDetector }: BeginTask) => ({
  sileroVad: {
    model: voiceDetector,
    threshold: 0.5,
    minSpeechDuration: 0.25,
    minSilenceDuration: 0.3,
    maxSpeechDuration: UTTERANCE_SECONDS_MAX,
    windowSize: WINDOW_SAMPLES
  },
  sampleRate: SAMPLE_HERTZ,
  numThreads: threads,
  debug: 0
});

const familyConfig = (files: ModelFiles, language: string): object => {
  switch (files.family) {
    case "whisper":
      return {
        whisper: {
          encoder: files.encoder,
          decoder: files.decoder,
          language,
          task: "transcribe",
          enableSegmentTimestamps: 1
        }
      };
    case "transducer": {
      const { decoder, encoder, joiner } = files;
      return { transducer: { encoder, decoder, joiner }, modelType: "nemo_transducer" };
    }
    case "senseVoice":
      return { senseVoice: { model: files.model, language, useInverseTextNormalization: 1 } };
  }
};

const recogniserConfig = ({ files, language, threads }: BeginTask): object => ({
  featConfig: { sampleRate: SAMPLE_HERTZ, featureDim: 80 },
  modelConfig: {
    ...familyConfig(files, language),
    tokens: files.tokens,
    numThreads: threads,
    provider: "cpu",
    debug: 0
  },
  decodingMethod: "greedy_search"
});

// The model stays; the rest is of the recording that is heard now, one at a time.
let recogniser: Recogniser | null = null;
let detector: VoiceDetector | null = null;
let sound = makeKeptSound();
let phrases = makePhrases(sound, false);
/** A sample: all speech before it was found; what follows may be a phrase that has not ended. */
let quietUntil = 0;

const begin = (task: BeginTask): void => {
  const config = recogniserConfig(task);
  if (recogniser === null) recogniser = new sherpa.OfflineRecognizer(config);
  else recogniser.setConfig(config);
  sound = makeKeptSound();
  phrases = makePhrases(sound, task.files.family === "whisper");
  quietUntil = 0;
  detector = new sherpa.Vad(detectorConfig(task), BUFFER_SECONDS);
};

const decode = (known: Recogniser, part: Part): ReadonlyArray<Utterance> => {
  const { start } = part;
  const samples = sound.slice(part);
  const stream = known.createStream();
  stream.acceptWaveform({ samples, sampleRate: SAMPLE_HERTZ });
  known.decode(stream);
  const found = known.getResult(stream);
  const { lang: language = "", segment_texts: texts = [], text = "", timestamps = [], tokens = [] } = found;
  if (texts.length === 0)
    return [{ startSample: start, endSample: start + samples.length, text, language, tokens, timestamps }];
  const placeOf = (seconds = 0): number =>
    start + Math.min(samples.length, Math.round(seconds * SAMPLE_HERTZ));
  return texts.map((each, index) => {
    const from = found.segment_timestamps?.[index] ?? 0;
    const to = from + (found.segment_durations?.[index] ?? 0);
    return {
      startSample: placeOf(from),
      endSample: placeOf(to),
      text: each,
      language,
      tokens: [],
      timestamps: []
    };
  });
};

const samplesOf = (bytes: Uint8Array): Float32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from(
    { length: Math.floor(bytes.length / 2) },
    (_, index) => view.getInt16(2 * index, true) / 32_768
  );
};

/** The detector finds the beginning of a phrase this late. */
const LATE_SAMPLES = SAMPLE_HERTZ;

const hear = (bytes: Uint8Array, isEnd: boolean): ReadonlyArray<Utterance> => {
  if (recogniser === null || detector === null) throw new Error("sound before the beginning");
  const known = recogniser;
  const voices = detector;
  const utterances: Array<Utterance> = [];
  const take = (): void => {
    for (; !voices.isEmpty(); voices.pop()) {
      const { samples: spoken, start } = voices.front(false);
      for (const part of phrases.add({ start, end: start + spoken.length }))
        utterances.push(...decode(known, part));
    }
  };
  const samples = samplesOf(bytes);
  const before = sound.end();
  sound.append(samples);
  for (let at = 0; at < samples.length; at += WINDOW_SAMPLES) {
    voices.acceptWaveform(samples.slice(at, at + WINDOW_SAMPLES));
    take();
    if (!voices.isDetected()) quietUntil = before + at;
  }
  if (isEnd) {
    voices.flush();
    take();
    for (const part of phrases.end()) utterances.push(...decode(known, part));
  }
  sound.dropBefore(Math.min(phrases.neededFrom(), quietUntil - LATE_SAMPLES - BREATH_SAMPLES));
  return utterances;
};

serveTasks(({ bytes, header }) => {
  const task = header as RecogniserTask;
  if (task.task === "begin") begin(task);
  const utterances = task.task === "begin" ? [] : hear(bytes, task.task === "end");
  return { header: {}, bytes: Buffer.from(JSON.stringify({ utterances } satisfies RecogniserAnswer)) };
});
