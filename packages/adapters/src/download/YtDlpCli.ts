/**
 * yt-dlp as a command: the fallback where its Python cannot be imported. Same jobs, same answers, slower.
 */
import * as Effect from "effect/Effect";
import { runBounded } from "./BoundedProcess.ts";
import { programEnvironment } from "./ProgramEnvironment.ts";
import {
  ANSWER_MAX_BYTES,
  readJson,
  readProgress,
  type YtDlpAnswer,
  type YtDlpRunner
} from "./YtDlpRunner.ts";

/** Marks our lines among whatever else is on standard output. */
const PROGRESS_MARK = "winnow-progress ";

const PROGRESS_TEMPLATE = `download:${PROGRESS_MARK}%(progress.{downloaded_bytes,total_bytes,fragment_index,fragment_count})j`;

/** The last `ERROR: [extractor] id: message` of standard error; a crash leaves a traceback instead. */
export const readCliFailure = (stderr: string, exitCode: number | null): YtDlpAnswer => {
  const line = stderr.split("\n").findLast((each) => each.startsWith("ERROR: "));
  const spoken = /^ERROR: \[([\w:+-]+)\] (?:[\w.-]+: )?/u.exec(line ?? "");
  const message = (line ?? stderr.slice(-2_000)).slice(spoken?.[0].length ?? 0);
  const status = /HTTP Error (\d{3})\b/u.exec(message)?.[1];
  const type =
    exitCode === null ? "Killed" : /\bUnsupported URL\b/u.test(message) ? "UnsupportedError" : "Error";
  return {
    ok: false,
    type: /MemoryError/u.test(stderr) ? "MemoryError" : type,
    status: status === undefined ? null : Number(status),
    expected: /please report this issue/u.test(message) || line === undefined ? false : null,
    extractor: spoken?.[1] ?? null,
    message
  };
};

export const makeYtDlpCli = (ytDlp: string, path: string): YtDlpRunner => ({
  run: Effect.fnUntraced(function* (job) {
    const download = job.operation === "download";
    const outcome = yield* runBounded({
      program: ytDlp,
      args: [
        ...job.argv,
        ...(download ? ["--quiet", "--progress", "--newline", "--progress-template", PROGRESS_TEMPLATE] : []),
        ...(job.url === null ? [] : ["--", job.url])
      ],
      folder: job.folder,
      environment: programEnvironment({ path, folder: job.folder, proxyUrl: job.proxyUrl }),
      timeoutMs: job.timeoutMs,
      stdoutMaxBytes: ANSWER_MAX_BYTES,
      memoryMaxBytes: job.memoryMaxBytes,
      fileMaxBytes: job.fileMaxBytes,
      ...(download
        ? {
            onLine: (line: string) => {
              const at = line.indexOf(PROGRESS_MARK);
              if (at >= 0) job.onProgress(readProgress(readJson(line.slice(at + PROGRESS_MARK.length))));
            }
          }
        : {})
    });
    if (outcome.exitCode !== 0) return readCliFailure(outcome.stderr, outcome.exitCode);
    const info = download ? null : readJson(outcome.stdout);
    const answer: YtDlpAnswer =
      info === undefined ? readCliFailure(outcome.stderr, outcome.exitCode) : { ok: true, info };
    return answer;
  })
});
