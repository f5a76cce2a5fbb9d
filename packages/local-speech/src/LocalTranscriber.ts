/**
 * The Transcriber with a model on this machine: sherpa-onnx in a process of its own, in the sandbox, without network,
 * with limits on memory, threads and time. One recording of an account at a time, at most two in all. Before you
 * change a limit: `winnow models test parakeet-v3 --file RECORDING`, the largest model on an hour of sound.
 */
import { Failed } from "@winnow/core/domain/source/Failed";
import { LEVEL_STEP_SECONDS, soundLevels } from "@winnow/adapters/speech/SoundLevels";
import type { Stretch } from "@winnow/core/domain/transcript/CaptionTimes";
import { spokenSegments } from "@winnow/adapters/speech/SpokenSegments";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import {
  type TranscribedSpeech,
  Transcriber,
  type TranscriptionOptions
} from "@winnow/core/ports/Transcriber";
import { dirname } from "node:path";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";
import {
  type LocalMedia,
  type MediaProgram,
  type MediaProgramOptions,
  type MediaUnreadable,
  openMedia,
  openMediaProgram,
  unreadable
} from "@winnow/adapters/programs/LocalMedia";
import { options, type ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import { NO_BYTES } from "@winnow/isolation/process/Frames";
import { type KeptFile, readKept } from "@winnow/isolation/process/RunFiles";
import type { ProgramsMissing } from "@winnow/adapters/programs/ExternalPrograms";
import type { SandboxMissing } from "@winnow/isolation/sandbox/Sandbox";
import { makeIdleWorkers } from "@winnow/isolation/worker/IdleWorkers";
import {
  answerReader,
  startWorker,
  type WorkerEnded,
  type WorkerProcess,
  type WorkerProgram
} from "@winnow/isolation/worker/WorkerProcess";
import { inTurnOfRun, makeFairPermits } from "@winnow/isolation/runtime/FairPermits";
import { type BeginTask, type RecogniserAnswer, SAMPLE_HERTZ, type Utterance } from "./RecogniserMessages.ts";
import { gapsOf, languageOf, levelsOf, segmentOf } from "./utterances.ts";
import { languageFor, type LocalModel, pathsOf } from "./SpeechModels.ts";

export interface LocalTranscriberOptions extends MediaProgramOptions {
  readonly model: LocalModel;
  /** Of the recogniser, each of which occupies a processor. */
  readonly threads: number;
}

/** Recordings at once: one of an account, because each takes a process and its memory. */
const RECORDINGS_AT_ONCE_MAX = 2;

/** A process is kept this long for the account's next recording; loading a model takes seconds. */
const IDLE_MS = 60_000;

const BYTES_PER_SECOND = 2 * SAMPLE_HERTZ;

/** Sent at once: progress and cancelling are as fine as that. */
const PIECE_SECONDS = 20;

/** Time limit of loading a model from a slow disk. */
const LOAD_TIMEOUT = "120 seconds";

/** Time limit of a piece: 60 s and four times its length, and as much for speech that began in earlier ones. */
const PIECE_TIMEOUT = `${60 + 2 * 4 * PIECE_SECONDS} seconds`;

/** What a model computes with, beside its weights as read, unpacked and laid out: three times its files. */
const MODEL_BUFFERS_MB = 768;
const MODEL_COPIES = 3;

/** 37 hours of samples; no plan allows a video of more than 24. */
const SOUND_BYTES_MAX = 4_096 * 2 ** 20;

const FFMPEG_TIMEOUT_MS = 600_000;

const SOUND = "sound.pcm";

const BYTES_PER_MB = 2 ** 20;

const failedWith = (reason: Failed["reason"], message: string) => (): Effect.Effect<never, Failed> =>
  Effect.fail(new Failed({ reason, message }));

const NOT_LOADED = "The local speech model could not be loaded.";

const endedMessage = ({ reason }: WorkerEnded): string =>
  reason === "too_large"
    ? "The local speech model needed more memory than it may use."
    : "The local speech model stopped while it transcribed.";

/** Gaps and a late start become silence, so that times match the media. */
const SAMPLES = [
  ...options("-vn -map 0:a:0 -af"),
  `aresample=${SAMPLE_HERTZ}:async=1:first_pts=0`,
  ...options(`-ac 1 -f s16le ${SOUND}`)
];

/** All samples of the recording. Fails if ffmpeg does, because partial sound would look complete. */
const recordSamples = Effect.fnUntraced(function* ({
  ffmpeg,
  folder,
  path
}: LocalMedia): Effect.fn.Return<KeptFile, MediaUnreadable | ProcessFailed, Scope.Scope> {
  const { isWhole, take } = yield* ffmpeg.convert(folder, [path], SAMPLES);
  const sound = isWhole ? yield* take(SOUND) : null;
  return sound ?? (yield* unreadable);
});

const programOf = ({ files, sizeBytes, voiceDetector }: LocalModel): WorkerProgram => {
  const folders = [...pathsOf(files), voiceDetector].map((path) => dirname(path));
  return {
    entry: "./RecogniserHost",
    from: import.meta.url,
    readable: [...new Set(folders)],
    heapMb: 128,
    buffersMb: MODEL_BUFFERS_MB + Math.ceil((MODEL_COPIES * sizeBytes) / BYTES_PER_MB),
    answerBytesMax: 16 * BYTES_PER_MB
  };
};

interface Transcription {
  readonly sound: KeptFile;
  readonly worker: WorkerProcess;
  readonly begin: BeginTask;
}

const readAnswer = answerReader<RecogniserAnswer, RecogniserAnswer>(
  Schema.Struct({
    utterances: Schema.Array(
      Schema.Struct({
        startSample: Schema.Number,
        endSample: Schema.Number,
        text: Schema.String,
        language: Schema.String,
        tokens: Schema.Array(Schema.String),
        timestamps: Schema.Array(Schema.Number)
      })
    )
  })
);

const answered = (worker: WorkerProcess, header: object, bytes: Uint8Array) =>
  Effect.map(Effect.flatMap(worker.ask({ header, bytes }), readAnswer), ({ utterances }) => utterances);

/** Sends the recording piece by piece. */
const recogniseAll = Effect.fnUntraced(function* ({ begin, sound, worker }: Transcription) {
  const totalSeconds = sound.sizeBytes / BYTES_PER_SECOND;
  const { report } = yield* CurrentRun;
  yield* report({ step: "transcribing", doneSeconds: 0, totalSeconds });
  yield* worker.ready.pipe(
    Effect.andThen(answered(worker, begin, NO_BYTES)),
    Effect.timeoutOrElse({ duration: LOAD_TIMEOUT, orElse: failedWith("speech_timeout", NOT_LOADED) }),
    Effect.catchTag("WorkerEnded", failedWith("speech_misconfigured", NOT_LOADED))
  );
  const utterances: Array<Utterance> = [];
  const levels: Array<number> = [];
  const hear = (task: "sound" | "end", bytes: Uint8Array) =>
    answered(worker, { task }, bytes).pipe(
      Effect.timeoutOrElse({
        duration: PIECE_TIMEOUT,
        orElse: failedWith("speech_timeout", "The local speech model was too slow.")
      }),
      Effect.catchTag("WorkerEnded", (ended) => failedWith("speech_unavailable", endedMessage(ended))()),
      Effect.map((found) => void utterances.push(...found))
    );
  const pieceBytes = PIECE_SECONDS * BYTES_PER_SECOND;
  for (let at = 0; at < sound.sizeBytes; at += pieceBytes) {
    const bytes = (yield* readKept(sound.path, pieceBytes, at)) ?? (yield* unreadable);
    levels.push(...levelsOf(bytes, LEVEL_STEP_SECONDS * SAMPLE_HERTZ));
    yield* hear("sound", bytes);
    yield* report({
      step: "transcribing",
      doneSeconds: Math.min(totalSeconds, (at + pieceBytes) / BYTES_PER_SECOND),
      totalSeconds
    });
  }
  yield* hear("end", NO_BYTES);
  return { utterances, levels };
});

const speechOf = (
  utterances: ReadonlyArray<Utterance>,
  levels: ReadonlyArray<number>,
  language: string | null
): TranscribedSpeech => {
  const segments = utterances.map(segmentOf).filter((segment) => segment !== null);
  const gaps: ReadonlyArray<Stretch> = gapsOf(utterances);
  return {
    language: languageOf(utterances) ?? language,
    segments: spokenSegments(soundLevels(levels), segments),
    ...(gaps.length === 0 ? {} : { gaps })
  };
};

type Transcribe = (
  file: FetchedFile,
  asked: TranscriptionOptions
) => Effect.Effect<TranscribedSpeech | null, Failed | MediaUnreadable, Scope.Scope>;

interface Recognisers {
  readonly take: (accountId: string) => WorkerProcess;
  readonly keep: (accountId: string, worker: WorkerProcess) => void;
}

const makeTranscribe = (
  { model, threads }: Pick<LocalTranscriberOptions, "model" | "threads">,
  program: MediaProgram,
  { keep, take }: Recognisers
): Transcribe =>
  Effect.fnUntraced(function* (file, asked) {
    const media = yield* openMedia(program, file);
    if (!media.hasSound) return null;
    const sound = yield* Effect.catchTag(recordSamples(media), "ProcessFailed", () => unreadable);
    const begin: BeginTask = {
      task: "begin",
      files: model.files,
      voiceDetector: model.voiceDetector,
      threads,
      language: languageFor(model.files, asked.language)
    };
    const { accountId } = yield* CurrentRun;
    const used = { isToKeep: false };
    const worker = yield* Effect.acquireRelease(
      Effect.sync(() => take(accountId)),
      (taken) => (used.isToKeep ? Effect.sync(() => keep(accountId, taken)) : taken.end)
    );
    const { levels, utterances } = yield* recogniseAll({ sound, worker, begin });
    used.isToKeep = true;
    return speechOf(utterances, levels, asked.language);
  });

/** Fails if ffmpeg is missing, or if the sandbox is required but does not work. */
export const layer = ({
  model,
  threads,
  ...settings
}: LocalTranscriberOptions): Layer.Layer<never, ProgramsMissing | SandboxMissing> =>
  Layer.effect(
    Transcriber,
    Effect.gen(function* () {
      const media = yield* openMediaProgram(settings, {
        fetchTimeoutMs: FFMPEG_TIMEOUT_MS,
        maxDownloadBytes: SOUND_BYTES_MAX
      });
      const inTurn = inTurnOfRun(makeFairPermits(RECORDINGS_AT_ONCE_MAX));
      const idle = yield* Effect.acquireRelease(
        Effect.sync(() => makeIdleWorkers({ idleMs: IDLE_MS, idleMax: RECORDINGS_AT_ONCE_MAX })),
        ({ end }) => end
      );
      const program = programOf(model);
      const transcribe = makeTranscribe({ model, threads }, media, {
        // A process that worked for the same account, or a new one: none hears two accounts.
        take: (accountId) => idle.take(accountId) ?? startWorker(program, media.sandbox),
        keep: idle.keep
      });
      return {
        model: model.name,
        transcribe: Effect.fn("LocalTranscriber.transcribe")(
          (file: FetchedFile, asked: TranscriptionOptions) =>
            inTurn(Effect.scoped(transcribe(file, asked))).pipe(
              Effect.catchTag(
                "MediaUnreadable",
                failedWith("speech_unavailable", "The audio could not be read.")
              ),
              Effect.tapError(({ message, reason }) =>
                reason === "speech_misconfigured"
                  ? Effect.logWarning(`${message} (${model.name})`)
                  : Effect.void
              )
            )
        )
      };
    })
  );
