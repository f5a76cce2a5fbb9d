/**
 * Entry point of a process that recognises the speech of one recording after another. It gets the sound piece by
 * piece; the voice detector finds what is spoken, and only that is recognised. Does not load Effect, so that it
 * starts fast.
 */
import { createRequire } from "node:module";
import { serveTasks } from "../../programs/process/serveTasks.ts";
import {
  type BeginTask,
  type RecogniserAnswer,
  type RecogniserTask,
  SAMPLE_HERTZ,
  type Utterance
} from "./RecogniserMessages.ts";
import { makePhrases, type Phrases, type Spoken, WINDOW_SAMPLES } from "./Phrases.ts";
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
  readonly front: (external: boolean) => { readonly start: number; readonly samples: Float32Array };
  readonly pop: () => void;
  readonly flush: () => void;
}

interface Sherpa {
  readonly OfflineRecognizer: new (config: object) => Recogniser;
  readonly Vad: new (config: object, bufferSeconds: number) => VoiceDetector;
}

const sherpa = createRequire(import.meta.url)("sherpa-onnx-node") as Sherpa;

/** From here on a shorter pause ends an utterance. Whisper hears at most 30 s. */
const UTTERANCE_SECONDS_MAX = 18;

/** Whisper was trained with half minutes and mishears single phrases: a longer pause separates what it gets at once. */
const PAUSE_SAMPLES_MAX = 2 * SAMPLE_HERTZ;

const BUFFER_SECONDS = 60;

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

let recogniser: Recogniser | null = null;
let detector: VoiceDetector | null = null;
let phrases: Phrases = makePhrases(0);

const begin = (task: BeginTask): void => {
  const config = recogniserConfig(task);
  if (recogniser === null) recogniser = new sherpa.OfflineRecognizer(config);
  else recogniser.setConfig(config);
  phrases = makePhrases(task.files.family === "whisper" ? PAUSE_SAMPLES_MAX : 0);
  detector = new sherpa.Vad(detectorConfig(task), BUFFER_SECONDS);
};

const decode = (known: Recogniser, { samples, start }: Spoken): ReadonlyArray<Utterance> => {
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

const hear = (bytes: Uint8Array, isEnd: boolean): ReadonlyArray<Utterance> => {
  if (recogniser === null || detector === null) throw new Error("sound before the beginning");
  const known = recogniser;
  const voices = detector;
  const utterances: Array<Utterance> = [];
  const take = (): void => {
    for (; !voices.isEmpty(); voices.pop())
      for (const spoken of phrases.add(voices.front(false))) utterances.push(...decode(known, spoken));
  };
  const samples = samplesOf(bytes);
  for (let at = 0; at < samples.length; at += WINDOW_SAMPLES) {
    voices.acceptWaveform(samples.slice(at, at + WINDOW_SAMPLES));
    take();
  }
  if (!isEnd) return utterances;
  voices.flush();
  take();
  for (const spoken of phrases.end()) utterances.push(...decode(known, spoken));
  return utterances;
};

serveTasks(({ bytes, header }) => {
  const task = header as RecogniserTask;
  if (task.task === "begin") begin(task);
  const utterances = task.task === "begin" ? [] : hear(bytes, task.task === "end");
  return { header: {}, bytes: Buffer.from(JSON.stringify({ utterances } satisfies RecogniserAnswer)) };
});
