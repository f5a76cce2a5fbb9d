/**
 * Ports of createWinnow as plain promises: the language model, the downloader, the speech model and the file storage
 * of an embedder who does not use Effect. Each method does what the port in @winnow/core/ports promises.
 *
 * `signal` is aborted when the result is no longer wanted: the run was cancelled, took too long, or the server stops.
 * A rejection with Failed is the outcome of the run; any other fails it as `internal`, refunded.
 */
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { Failed } from "@winnow/core/domain/source/Failed";
import { artifactOf } from "@winnow/core/domain/result/ArtifactName";
import type { ArtifactOwner } from "@winnow/core/domain/run/Extraction";
import { MODALITIES, type Modality } from "@winnow/core/domain/source/Modality";
import type { StepProgress } from "@winnow/core/domain/run/RunProgress";
import { Busy } from "@winnow/core/domain/request/Refusal";
import { SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import { TextSection } from "@winnow/core/domain/text/InputText";
import {
  Analyst,
  type Analysis,
  type AnalysisRequest,
  type Material,
  type Proposal
} from "@winnow/core/ports/Analyst";
import {
  ArtifactStore,
  type ArtifactKey,
  type ArtifactSource,
  type ByteRange
} from "@winnow/core/ports/ArtifactStore";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import {
  Downloader,
  type Fetched,
  type FetchedFile,
  type FetchRequest,
  type InspectOptions,
  type ListRequest
} from "@winnow/core/ports/Downloader";
import {
  Transcriber,
  type TranscribedSpeech,
  type TranscriptionOptions
} from "@winnow/core/ports/Transcriber";
import * as Effect from "effect/Effect";
import { flow } from "effect/Function";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as Stream from "effect/Stream";
import { SettingError } from "./SettingError.ts";

/** What a call is part of: an account's run, or its request for a quote, which nobody watches. */
export interface PromiseRun {
  readonly accountId: string;
  /** Shows progress to who watches the run. */
  readonly report: (progress: StepProgress) => void;
}

export interface PromiseAnalyst {
  /** Name of the model, part of the cache key: change it when its answers change. */
  readonly model: string;
  /** Inputs that the model supports; all if absent. */
  readonly takes?: ReadonlyArray<Modality>;
  /** Rejects with Failed. */
  analyse(request: AnalysisRequest, signal: AbortSignal, run: PromiseRun): Promise<Analysis>;
  /** The fields of a schema for this content (`schemaId: "auto"`). Rejects with Failed. */
  propose(material: Material, signal: AbortSignal, run: PromiseRun): Promise<Proposal>;
}

export interface PromiseFetched extends Fetched {
  /** Called once the files are stored or no longer wanted: deletes local copies. */
  readonly release?: () => Promise<void> | void;
}

export interface PromiseDownloader {
  /** Facts about a URL, without its media: quotes are free. Rejects with Failed or Busy. */
  inspect(url: string, options: InspectOptions, signal: AbortSignal, run: PromiseRun): Promise<SourceFacts>;
  /**
   * URLs of what a channel or playlist lists, for batches; rejects with Failed (`not_extractable` for anything
   * else). Without it, batches cannot have listings.
   */
  list?(request: ListRequest, signal: AbortSignal, run: PromiseRun): Promise<ReadonlyArray<string>>;
  /**
   * The source's picture as a JPEG of at most 320 by 320 pixels; null if there is none. Rejects with Failed or
   * Busy. Without it, quotes have no picture.
   */
  preview?(
    url: string,
    options: InspectOptions,
    signal: AbortSignal,
    run: PromiseRun
  ): Promise<Uint8Array | null>;
  /** Rejects with Failed. */
  fetch(request: FetchRequest, signal: AbortSignal, run: PromiseRun): Promise<PromiseFetched>;
}

export interface PromiseTranscriber {
  /** Name of the speech model. */
  readonly model: string;
  /** Null for a recording without sound. Rejects with Failed. */
  transcribe(
    file: FetchedFile,
    options: TranscriptionOptions,
    signal: AbortSignal,
    run: PromiseRun
  ): Promise<TranscribedSpeech | null>;
}

/** Every rejection is a fault of the storage: Unavailable (@winnow/core/ports/Unavailable) if it is temporary. */
export interface PromiseArtifacts {
  /** Durable once it resolves, with the size in bytes; putting a key again replaces the whole file. */
  put(key: ArtifactKey, source: ArtifactSource, signal: AbortSignal): Promise<number>;
  /** In bytes; null if there is no such file. */
  size(key: ArtifactKey, signal: AbortSignal): Promise<number | null>;
  /** The whole file, or the range of it. Its iterator's `return` is called when the reader leaves early. */
  read(
    key: ArtifactKey,
    range: ByteRange | null,
    signal: AbortSignal
  ): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
  /** Removes one attempt's files, if any. */
  removeAttempt(owner: ArtifactOwner, signal: AbortSignal): Promise<void>;
}

export interface PromisePorts {
  readonly analyst?: PromiseAnalyst | undefined;
  readonly downloader?: PromiseDownloader | undefined;
  readonly transcriber?: PromiseTranscriber | undefined;
  readonly artifacts?: PromiseArtifacts | undefined;
}

type Call<A> = (signal: AbortSignal, run: PromiseRun) => A | Promise<A>;

const rejection = (error: unknown): unknown => error;

/** Errors of JavaScript callers that return or throw at once are those of a promise. */
const attempt = <A>(call: (signal: AbortSignal) => A | Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: async (signal) => call(signal), catch: rejection });

const promiseRun: Effect.Effect<PromiseRun> = Effect.gen(function* () {
  const { accountId, report } = yield* CurrentRun;
  const fork = Effect.runForkWith(yield* Effect.context<never>());
  return { accountId, report: (progress) => void fork(report(progress)) };
});

/** Rejections that are no failure of the port are defects. */
const calling = <A, E>(call: Call<A>, isFailure: (error: unknown) => error is E): Effect.Effect<A, E> =>
  Effect.flatMap(promiseRun, (run) => attempt((signal) => call(signal, run))).pipe(
    Effect.catch((error) => (isFailure(error) ? Effect.fail(error) : Effect.die(error)))
  );

const isFailed = (error: unknown) => error instanceof Failed;
const isNotInspected = (error: unknown) => error instanceof Failed || error instanceof Busy;

const analystLayer = (port: PromiseAnalyst): Layer.Layer<Analyst> =>
  Layer.succeed(Analyst, {
    model: port.model,
    takes: Effect.succeed(port.takes ?? MODALITIES),
    analyse: (request) => calling((signal, run) => port.analyse(request, signal, run), isFailed),
    propose: (material) => calling((signal, run) => port.propose(material, signal, run), isFailed)
  });

const release = (fetched: PromiseFetched): Effect.Effect<void> =>
  Effect.catchCause(
    Effect.promise(async () => fetched.release?.()),
    (cause) => Effect.logWarning("ports.downloader did not release what it fetched", cause)
  );

/** A fetch that resolves after its run has ended is released at once. */
const fetching = (port: PromiseDownloader, request: FetchRequest) =>
  calling(async (signal, run) => {
    const fetched = await port.fetch(request, signal, run);
    if (signal.aborted) await fetched.release?.();
    return fetched;
  }, isFailed);

/** What JavaScript gets wrong in these would be stored, and could not be read again. */
const Storable = Schema.Struct({
  facts: SourceFacts,
  failedLookups: Schema.optional(Schema.Record(Schema.String, Failed)),
  sections: Schema.optional(Schema.Array(TextSection))
});

const storable = flow(Schema.decodeUnknownEffect(Schema.toType(Storable)), Effect.orDie);

/** The engine reads texts from memory. */
const withTextInMemory = async (file: FetchedFile): Promise<FetchedFile> =>
  file.source._tag === "LocalFile" && artifactOf(file.name)?.readAs === "text"
    ? { ...file, source: { _tag: "Bytes", bytes: await readFile(file.source.path) } }
    : file;

const noListings = new Failed({
  reason: "not_extractable",
  message: "This server reads no channels or playlists."
});

const previewOf = (port: PromiseDownloader): Pick<Downloader["Service"], "preview"> =>
  port.preview === undefined
    ? {}
    : {
        preview: (url, options) =>
          calling(
            async (signal, run) => (await port.preview?.(url, options, signal, run)) ?? null,
            isNotInspected
          )
      };

const downloaderLayer = (port: PromiseDownloader): Layer.Layer<Downloader> =>
  Layer.succeed(Downloader, {
    ...previewOf(port),
    isWarm: Effect.succeed(true),
    inspect: (url, options) =>
      calling((signal, run) => port.inspect(url, options, signal, run), isNotInspected).pipe(
        Effect.tap((facts) => storable({ facts }))
      ),
    list: (request) =>
      port.list === undefined
        ? Effect.fail(noListings)
        : calling((signal, run) => port.list?.(request, signal, run) ?? [], isFailed),
    fetch: Effect.fnUntraced(function* (request: FetchRequest) {
      const fetched = yield* Effect.acquireRelease(fetching(port, request), release, {
        interruptible: true
      });
      yield* storable(fetched);
      const files = yield* Effect.promise(() => Promise.all(fetched.files.map(withTextInMemory)));
      return { ...fetched, files };
    })
  });

const transcriberLayer = (port: PromiseTranscriber): Layer.Layer<never> =>
  Layer.succeed(Transcriber, {
    model: port.model,
    transcribe: (file, options) =>
      calling((signal, run) => port.transcribe(file, options, signal, run), isFailed)
  });

const artifactsLayer = (port: PromiseArtifacts, workDir: string): Layer.Layer<ArtifactStore> => {
  const reading: Pick<ArtifactStore["Service"], "size" | "read"> = {
    size: (key) =>
      Effect.map(Effect.orDie(attempt((signal) => port.size(key, signal))), Option.fromNullishOr),
    read: (key, range) =>
      Stream.orDie(
        Stream.unwrap(
          Effect.map(
            attempt((signal) => port.read(key, range, signal)),
            (chunks) => Stream.fromAsyncIterable(chunks, rejection)
          )
        )
      )
  };
  return Layer.succeed(ArtifactStore, {
    ...reading,
    put: (key, source) => Effect.orDie(attempt((signal) => port.put(key, source, signal))),
    localPath: () => Effect.succeedNone,
    // Loaded when it is needed: embedders with ports of their own load no adapter.
    localCopy: (key) =>
      Effect.flatMap(
        Effect.promise(() => import("@winnow/adapters/storage/localCopy")),
        ({ localCopyOf }) => localCopyOf(reading, workDir)(key)
      ),
    removeAttempt: (owner) => Effect.orDie(attempt((signal) => port.removeAttempt(owner, signal)))
  });
};

const METHODS: Readonly<Record<keyof PromisePorts, ReadonlyArray<string>>> = {
  analyst: ["analyse", "propose"],
  downloader: ["inspect", "fetch"],
  transcriber: ["transcribe"],
  artifacts: ["put", "size", "read", "removeAttempt"]
};

/** Of ports that have a model. */
const MODELS = new Set(["analyst", "transcriber"]);

const must = (isRight: boolean, message: string): void => {
  if (!isRight) throw new SettingError(message, "ports");
};

const check = (ports: PromisePorts): void => {
  const known = Object.keys(METHODS).join(", ");
  must(typeof ports === "object" && ports !== null, `ports must be an object with some of ${known}.`);
  for (const [name, port] of Object.entries(ports)) {
    if (port === undefined) continue;
    must(Object.hasOwn(METHODS, name), `ports has ${name}, but takes only ${known}; give others as layers.`);
    const given = port as Readonly<Record<string, unknown>>;
    for (const method of METHODS[name as keyof PromisePorts]) {
      must(typeof given[method] === "function", `ports.${name}.${method} must be a function.`);
    }
    const isNamed = !MODELS.has(name) || (typeof given["model"] === "string" && given["model"] !== "");
    must(isNamed, `ports.${name}.model must be the model's name.`);
  }
};

/** The ports among those given. */
type PortsIn<Given> =
  | (Given extends { readonly analyst: PromiseAnalyst } ? Analyst : never)
  | (Given extends { readonly downloader: PromiseDownloader } ? Downloader : never)
  | (Given extends { readonly artifacts: PromiseArtifacts } ? ArtifactStore : never);

/** The layer of ports, for the suites of `@winnow/testing` too. Throws {@link SettingError} for what is no port. */
export const portLayer = <Given extends PromisePorts>(
  ports: Given,
  workDir: string = tmpdir()
): Layer.Layer<PortsIn<Given>> => {
  check(ports);
  const { analyst, downloader, transcriber, artifacts } = ports;
  const none: Layer.Layer<never> = Layer.empty;
  return Layer.mergeAll(
    analyst === undefined ? none : analystLayer(analyst),
    downloader === undefined ? none : downloaderLayer(downloader),
    transcriber === undefined ? none : transcriberLayer(transcriber),
    artifacts === undefined ? none : artifactsLayer(artifacts, workDir)
  ) as Layer.Layer<PortsIn<Given>>;
};
