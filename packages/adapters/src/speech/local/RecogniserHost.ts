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

/** What the detector takes at once: the window that it was trained with. */
const WINDOW_SAMPLES = 512;

/** From here on a shorter pause ends an utterance. Whisper hears at most 30 s. */
const UTTERANCE_SECONDS_MAX = 18;

/** Where even that finds no pause, it is cut at the quietest place of the last seconds before this one. */
const CUT_SAMPLES = 28 * SAMPLE_HERTZ;
const CUT_SEARCH_SAMPLES = 8 * SAMPLE_HERTZ;

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
      return { whisper: { encoder: files.encoder, decoder: files.decoder, language, task: "transcribe" } };
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

const begin = (task: BeginTask): void => {
  const config = recogniserConfig(task);
  if (recogniser === null) recogniser = new sherpa.OfflineRecognizer(config);
  else recogniser.setConfig(config);
  detector = new sherpa.Vad(detectorConfig(task), BUFFER_SECONDS);
};

/** The start of the quietest window of the last seconds before the longest utterance ends. */
const quietest = (samples: Float32Array): number => {
  let least = Number.POSITIVE_INFINITY;
  let place = CUT_SAMPLES;
  for (let at = CUT_SAMPLES - CUT_SEARCH_SAMPLES; at + WINDOW_SAMPLES <= CUT_SAMPLES; at += WINDOW_SAMPLES) {
    let energy = 0;
    for (let index = at; index < at + WINDOW_SAMPLES; index++) energy += (samples[index] ?? 0) ** 2;
    if (energy < least) {
      least = energy;
      place = at;
    }
  }
  return place;
};

const recognise = (known: Recogniser, start: number, samples: Float32Array): ReadonlyArray<Utterance> => {
  if (samples.length > CUT_SAMPLES) {
    const cut = quietest(samples);
    return [
      ...recognise(known, start, samples.slice(0, cut)),
      ...recognise(known, start + cut, samples.slice(cut))
    ];
  }
  const stream = known.createStream();
  stream.acceptWaveform({ samples, sampleRate: SAMPLE_HERTZ });
  known.decode(stream);
  const { lang = "", text = "", timestamps = [], tokens = [] } = known.getResult(stream);
  return [
    { startSample: start, endSample: start + samples.length, text, language: lang, tokens, timestamps }
  ];
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
  const utterances: Array<Utterance> = [];
  const samples = samplesOf(bytes);
  const take = (voices: VoiceDetector, known: Recogniser): void => {
    for (; !voices.isEmpty(); voices.pop()) {
      const { samples: spoken, start } = voices.front(false);
      utterances.push(...recognise(known, start, spoken));
    }
  };
  for (let at = 0; at < samples.length; at += WINDOW_SAMPLES) {
    detector.acceptWaveform(samples.slice(at, at + WINDOW_SAMPLES));
    take(detector, recogniser);
  }
  if (isEnd) detector.flush();
  take(detector, recogniser);
  return utterances;
};

serveTasks(({ bytes, header }) => {
  const task = header as RecogniserTask;
  if (task.task === "begin") begin(task);
  const utterances = task.task === "begin" ? [] : hear(bytes, task.task === "end");
  return { header: {}, bytes: Buffer.from(JSON.stringify({ utterances } satisfies RecogniserAnswer)) };
});
