/** yt-dlp as a command, where the fork server (YtDlpServer) cannot run it: slower, with the same answers. Tests: classify.test.ts. */
import * as Effect from "effect/Effect";
import { failureFrom } from "../failures/classify.ts";
import { runBounded } from "@winnow/isolation/process/BoundedProcess";
import { programEnvironment } from "@winnow/isolation/process/ProgramEnvironment";
import { readJson } from "@winnow/isolation/process/ProgramOutput";
import { writeInput } from "@winnow/isolation/process/RunFiles";
import type { Confinement } from "@winnow/isolation/sandbox/Sandbox";
import { answerMaxBytes, readProgress, type YtDlpAnswer, type YtDlpRunner } from "./YtDlpJob.ts";

/** Marks our lines on standard output. */
const PROGRESS_MARK = "winnow-progress ";

const PROGRESS_TEMPLATE = `download:${PROGRESS_MARK}%(progress.{downloaded_bytes,total_bytes,fragment_index,fragment_count})j`;

/** A traceback line that the command adds to errors in verbose mode. */
const IN_CAPTIONS = /, in extract_(?:subtitles|automatic_captions)$/mu;

/** `…/yt_dlp/extractor/vimeo.py", line 12, in `: the first in a traceback names the extractor that yt-dlp chose. */
const IN_EXTRACTOR = /[\\/]yt_dlp[\\/]extractor[\\/](?!common\.)(\w+)\.py", line \d+, in /u;

/** The last `ERROR: [extractor] id: message` line of standard error; a crash leaves a traceback instead. */
export const readCliFailure = (stderr: string, exitCode: number | null): YtDlpAnswer => {
  const line = stderr.split("\n").findLast((each) => each.startsWith("ERROR: "));
  const failure = failureFrom(line ?? stderr.slice(-2_000));
  return {
    ok: false,
    ...failure,
    extractor: failure.extractor ?? IN_EXTRACTOR.exec(stderr)?.[1] ?? null,
    ...(IN_CAPTIONS.test(stderr) ? { inCaptions: true } : {}),
    type: /MemoryError/u.test(stderr) ? "MemoryError" : exitCode === null ? "Killed" : failure.type,
    expected: line === undefined ? false : failure.expected
  };
};

/**
 * A stand-in for ffmpeg that only reports a version. The command trusts any configured path, and would abort midway
 * without a version.
 */
const STUB = `#!/bin/sh
case "$*" in -bsfs | -version) echo "ffmpeg version 7.0" ;; *) exit 1 ;; esac
`;

export const makeYtDlpCli = (ytDlp: string, path: string, confinement: Confinement | null): YtDlpRunner => ({
  run: Effect.fnUntraced(function* (job) {
    const download = job.operation === "download";
    const stub = yield* writeInput(job.folder, "ffmpeg", STUB, 0o700);
    const outcome = yield* runBounded({
      program: ytDlp,
      args: [
        ...job.argv,
        "--ffmpeg-location",
        stub,
        ...(download
          ? ["--quiet", "--progress", "--newline", "--progress-template", PROGRESS_TEMPLATE]
          : ["--verbose"]),
        ...(job.url === null ? [] : ["--", job.url])
      ],
      folder: job.folder,
      confinement,
      environment: programEnvironment({ path, folder: job.folder, proxyUrl: job.proxyUrl }),
      timeoutMs: job.timeoutMs,
      stdoutMaxBytes: answerMaxBytes(job),
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
