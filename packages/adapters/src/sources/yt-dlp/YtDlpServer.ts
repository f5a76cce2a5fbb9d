/**
 * yt-dlp through the fork server: about sixteen times faster than the command for an inspection.
 *
 * Started when it is first needed, and anew after it has died, which fails what it was working on. Its children end
 * with their effect, with the server, and with this process, even if that is killed. Tests: forkServer.test.ts.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";
import { ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import { type Frame, NO_BYTES } from "@winnow/isolation/process/Frames";
import { programEnvironment } from "@winnow/isolation/process/ProgramEnvironment";
import { PROCESS_LIMITS } from "@winnow/isolation/process/ProcessLimits";
import { readJson } from "@winnow/isolation/process/ProgramOutput";
import { readOutput, writeInput } from "@winnow/isolation/process/RunFiles";
import { keepServer } from "@winnow/isolation/process/keepServer";
import { jsonLines, type ServerEnded, startServer } from "@winnow/isolation/process/ServerProcess";
import type { YtDlpPython } from "../../programs/ExternalPrograms.ts";
import { PROXY_SOCKET_PATH } from "@winnow/isolation/sandbox/bubblewrap";
import type { FetchedBody } from "@winnow/isolation/network/Egress";
import type { Confinement } from "@winnow/isolation/sandbox/Sandbox";
import { answerMaxBytes, readProgress, YtDlpAnswer, type YtDlpJob, type YtDlpRunner } from "./YtDlpJob.ts";

const fileOf = (name: string): string => fileURLToPath(new URL(`./fork/${name}`, import.meta.url));

const SERVER_FILE = fileOf("ytdlp_server.py");

/** Import path of the server. */
const MODULE_FILES = [
  "child_namespaces.py",
  "child_processes.py",
  "child_reports.py",
  "extractor_index.py",
  "part_lookups.py",
  "pattern_literals.py",
  "private_members.py",
  "proxy_socket.py",
  "read_once.py"
].map(fileOf);

/** A cold start takes one or two seconds, or ten on a busy machine. */
const START_TIMEOUT_MS = 30_000;

/** A cancelled child is killed within 2 s (SIGKILL); later than this, the server itself hangs. */
const CANCEL_TIMEOUT_MS = 5_000;

/** First argument of a server that gives every child its own namespaces. */
const CONFINE_CHILDREN = "--confine-children";

export interface ServerCommand {
  readonly python: YtDlpPython;
  /** The search path of programs. */
  readonly path: string;
  /** yt-dlp options, including the operator's. */
  readonly argv: ReadonlyArray<string>;
  /** Parent of all runs' folders; each child only sees its own. */
  readonly folder: string;
  readonly confinement: Confinement | null;
}

const commandLine = ({ argv, confinement, folder, python }: ServerCommand): ReadonlyArray<string> => {
  const server = [python.interpreter, SERVER_FILE];
  if (confinement === null) return [...server, ...argv];
  const { proxySocket } = confinement;
  const readable = [...confinement.readable, SERVER_FILE, ...MODULE_FILES];
  return confinement.sandbox.confine({ ...confinement, folder, readable, nestsNamespaces: true }, [
    ...server,
    // Without a socket, nothing is run: it only starts.
    CONFINE_CHILDREN,
    folder,
    String(proxySocket?.port ?? 0),
    PROXY_SOCKET_PATH,
    ...argv
  ]);
};

/** It cannot run this yt-dlp here, however often it is started. */
export class ServerRefused extends Data.TaggedError("ServerRefused")<{ readonly why: string }> {}

export interface YtDlpServer extends YtDlpRunner {
  /** Starts it unless it runs, and waits until it is ready. */
  readonly start: Effect.Effect<void, ProcessFailed | ServerRefused>;
}

/** The child's result, in its folder. */
export const ANSWER_FILE = "answer.json";

const failureOf = (type: string, message: string): YtDlpAnswer => ({
  ok: false,
  type,
  status: null,
  expected: null,
  extractor: null,
  message
});

const decodeAnswer = Schema.decodeUnknownOption(YtDlpAnswer);

const decodeRefusal = Schema.decodeUnknownOption(
  Schema.Struct({ ready: Schema.Literal(false), why: Schema.String })
);

const decodeExit = Schema.decodeUnknownOption(Schema.Struct({ exit: Schema.Int }));

/** What a child left: whatever it has become, its answer is one, or a failure of the child. */
export const readAnswer = (folder: string, exitCode: number, maxBytes: number): Effect.Effect<YtDlpAnswer> =>
  Effect.map(readOutput(folder, ANSWER_FILE, maxBytes), (bytes) => {
    if (bytes === "missing")
      return failureOf(exitCode < 0 ? "Killed" : "Died", `the child exited with ${exitCode}`);
    if (bytes === "too_large") return failureOf("MemoryError", "the answer is too large");
    const answer = bytes === "unusable" ? undefined : readJson(bytes.toString("utf8"));
    return Option.getOrElse(decodeAnswer(answer), () => failureOf("Died", "the answer cannot be read"));
  });

const serverStarts = Metric.counter("winnow_ytdlp_server_starts_total", {
  description: "Starts of yt-dlp's fork server; more than one means that it died",
  incremental: true
});

const requestOf = (job: YtDlpJob, path: string, isConfined: boolean) => ({
  operation: job.operation,
  argv: job.argv,
  url: job.url,
  folder: job.folder,
  answer: join(job.folder, ANSWER_FILE),
  environment: programEnvironment({ path, folder: job.folder, proxyUrl: job.proxyUrl }),
  memoryMaxBytes: job.memoryMaxBytes,
  fileMaxBytes: job.fileMaxBytes,
  cpuMaxSeconds: Math.ceil(job.timeoutMs / 1_000) + 1,
  openFilesMax: PROCESS_LIMITS.openFilesMax,
  processesMax: isConfined ? PROCESS_LIMITS.confinedProcessesMax : PROCESS_LIMITS.processesMax,
  sharesPage: job.page !== null,
  comments: job.comments
});

/** Read by read_once.py, once the second is there. */
const [PAGE_FILE, PAGE_HEADERS_FILE] = ["page", "page.json"];

/** A redirect may have set cookies, and what is refused to our own reader may not be to yt-dlp. */
const isShared = (page: FetchedBody | null): page is FetchedBody =>
  page !== null && page.status < 400 && page.redirectCount === 0;

/** Never ends, like a child whose page is not there. */
const sharing = ({ folder, page }: YtDlpJob): Effect.Effect<never> =>
  page === null
    ? Effect.never
    : Effect.gen(function* () {
        const sent = yield* page.response;
        if (isShared(sent)) yield* writeInput(folder, PAGE_FILE, sent.body);
        const headers = isShared(sent) ? sent.headers : null;
        yield* writeInput(folder, PAGE_HEADERS_FILE, JSON.stringify(headers));
      }).pipe(Effect.catchCause(Effect.logDebug), Effect.andThen(Effect.never));

/** A fault like any other: whoever asked may ask again, or another version. */
const faultOf = ({ message, reason }: ServerEnded) => {
  const failure = new ProcessFailed({
    reason: "not_started",
    message: `The yt-dlp fork server failed (${reason}): ${message.trim().split("\n").at(-1) ?? ""}`
  });
  return Effect.andThen(Effect.logError(failure.message), Effect.fail(failure));
};

const admitted = ({ header }: Frame) => {
  const refusal = decodeRefusal(header);
  return Option.isNone(refusal) ? Effect.void : Effect.fail(new ServerRefused(refusal.value));
};

export const makeYtDlpServer = Effect.fnUntraced(function* (
  command: ServerCommand
): Effect.fn.Return<YtDlpServer, never, Scope.Scope> {
  const { confinement, folder, path, python } = command;
  const start = Effect.sync(() =>
    startServer({
      command: commandLine(command),
      folder,
      environment: {
        ...programEnvironment({ path, folder, proxyUrl: null }),
        // Otherwise every thread reserves 64 MB of address space, which counts against the memory limit.
        MALLOC_ARENA_MAX: "2",
        ...(python.importPath === null ? {} : { WINNOW_YTDLP_IMPORT_PATH: python.importPath })
      },
      channel: jsonLines,
      startTimeoutMs: START_TIMEOUT_MS,
      cancelTimeoutMs: CANCEL_TIMEOUT_MS
    })
  );
  const server = yield* keepServer(
    Effect.acquireRelease(start, ({ end }) => end).pipe(
      Effect.tap(() => Metric.update(serverStarts, 1)),
      Effect.tap(({ ready }) => Effect.flatMap(ready, admitted)),
      Effect.catchTag("ServerEnded", faultOf)
    )
  );

  return {
    run: Effect.fnUntraced(
      function* (job) {
        const { ask } = yield* server;
        const request = { header: requestOf(job, path, confinement !== null), bytes: NO_BYTES };
        const { header } = yield* Effect.timeoutOrElse(
          Effect.raceFirst(
            ask(request, (raw) => job.onProgress(readProgress(raw))),
            sharing(job)
          ),
          {
            duration: job.timeoutMs,
            orElse: () =>
              Effect.fail(
                new ProcessFailed({ reason: "timeout", message: "yt-dlp exceeded its time limit." })
              )
          }
        );
        // Negative for a signal.
        const { exit } = Option.getOrElse(decodeExit(header), () => ({ exit: 1 }));
        return yield* readAnswer(job.folder, exit, answerMaxBytes(job));
      },
      Effect.scoped,
      Effect.catchTags({
        ServerEnded: faultOf,
        // Only if its files have changed since it was admitted.
        ServerRefused: ({ why }) => Effect.fail(new ProcessFailed({ reason: "not_started", message: why }))
      })
    ),
    start: Effect.asVoid(Effect.scoped(server))
  };
});
