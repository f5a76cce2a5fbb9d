/**
 * yt-dlp through the fork server: about sixteen times faster than the command for an inspection.
 *
 * One server per layer, started lazily or by `warm`, restarted when it dies. Its children end with their effect,
 * with the server, and with this process, even if that is killed.
 */
import { readJson } from "../../programs/process/ProgramOutput.ts";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";
import { ProcessFailed } from "../../programs/process/BoundedProcess.ts";
import { PROCESS_LIMITS } from "../../programs/process/ProcessLimits.ts";
import { readOutput } from "../../programs/process/RunFiles.ts";
import { programEnvironment } from "../../programs/process/ProgramEnvironment.ts";
import { type ServerCommand, type ServerProcess, startServer, type PendingRequest } from "./ServerProcess.ts";
import { answerMaxBytes, readProgress, type YtDlpAnswer, type YtDlpJob } from "./YtDlpRunner.ts";

/** The server cannot be started, or died during this job. */
export class ServerExited extends Schema.TaggedError<ServerExited>()("ServerGone", {
  message: Schema.String
}) {}

export interface YtDlpServer {
  readonly run: (job: YtDlpJob) => Effect.Effect<YtDlpAnswer, ProcessFailed | ServerExited>;
  /** Starts the server unless it runs, and waits until it is ready. */
  readonly warm: Effect.Effect<void, ServerExited>;
}

/** The child's result, in its folder. */
const ANSWER_FILE = "answer.json";

/** Failed starts before it is given up. */
const FAILED_STARTS_MAX = 2;

const failureOf = (type: string, message: string): YtDlpAnswer => ({
  ok: false,
  type,
  status: null,
  expected: null,
  extractor: null,
  message
});

const readAnswer = (folder: string, exitCode: number, maxBytes: number): Effect.Effect<YtDlpAnswer> =>
  Effect.map(readOutput(folder, ANSWER_FILE, maxBytes), (bytes) => {
    if (bytes === "missing")
      return failureOf(exitCode < 0 ? "Killed" : "Died", `the child exited with ${exitCode}`);
    if (bytes === "too_large") return failureOf("MemoryError", "the answer is too large");
    const answer = bytes === "unusable" ? undefined : readJson(bytes.toString("utf8"));
    return answer === undefined ? failureOf("Died", "the answer cannot be read") : (answer as YtDlpAnswer);
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
  comments: job.comments
});

const awaitAnswer = (
  ticket: PendingRequest,
  job: YtDlpJob
): Effect.Effect<YtDlpAnswer, ProcessFailed | ServerExited> =>
  Effect.callback<YtDlpAnswer, ProcessFailed | ServerExited>((resume) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      ticket.cancel();
    }, job.timeoutMs);
    const report = async (): Promise<void> => {
      const end = await ticket.done;
      clearTimeout(timer);
      if (late) {
        resume(
          Effect.fail(new ProcessFailed({ reason: "timeout", message: "yt-dlp exceeded its time limit." }))
        );
      } else if (end === "server_gone") {
        resume(Effect.fail(new ServerExited({ message: "The fork server crashed." })));
      } else {
        resume(readAnswer(job.folder, end, answerMaxBytes(job)));
      }
    };
    void report();
    return Effect.promise(async () => {
      clearTimeout(timer);
      ticket.cancel();
      await ticket.done;
    });
  });

export const makeYtDlpServer = Effect.fnUntraced(function* (
  command: ServerCommand,
  path: string
): Effect.fn.Return<YtDlpServer, never, Scope.Scope> {
  let current: ServerProcess | null = null;
  let failedStarts = 0;

  const server = Effect.suspend((): Effect.Effect<ServerProcess, ServerExited> => {
    if (current?.alive() === true) return Effect.succeed(current);
    if (failedStarts >= FAILED_STARTS_MAX) {
      return Effect.fail(new ServerExited({ message: "The fork server does not start." }));
    }
    const started = startServer(command);
    current = started;
    const count = async (): Promise<void> => {
      failedStarts = (await started.ready) === null ? failedStarts + 1 : 0;
    };
    void count();
    return Effect.as(Metric.update(serverStarts, 1), started);
  });

  yield* Effect.addFinalizer(() => Effect.promise(async () => current?.stop()));

  return {
    run: Effect.fnUntraced(function* (job) {
      const process = yield* server;
      const request = requestOf(job, path, command.confinement !== null);
      const pending = process.submit(request, (raw) => job.onProgress(readProgress(raw)));
      return yield* awaitAnswer(pending, job);
    }),
    warm: Effect.gen(function* () {
      const process = yield* server;
      const version = yield* Effect.promise(() => process.ready);
      if (version === null) return yield* new ServerExited({ message: process.startError() });
    })
  };
});
