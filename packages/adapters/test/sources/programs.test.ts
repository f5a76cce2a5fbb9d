// @module-tag alone: a clock and a variable
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it, vi } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { type BoundedCommand, runBounded } from "@winnow/isolation/process/BoundedProcess";
import { reportPrograms } from "../../src/sources/ProgramReport.ts";
import { locatePrograms, pythonOf } from "../../src/programs/ExternalPrograms.ts";
import { isRunning, temporaryFolder, until } from "./harness.ts";

const folder = temporaryFolder();

/** Longer than any command here takes on a busy machine. */
const TIMEOUT_MS = 50_000;

const shell = (script: string, more: Partial<BoundedCommand> = {}) =>
  runBounded({
    program: "/bin/sh",
    args: ["-c", script],
    folder,
    environment: { PATH: "/usr/bin:/bin" },
    timeoutMs: TIMEOUT_MS,
    stdoutMaxBytes: 10_000,
    ...more
  });

describe("BoundedProcess", () => {
  it.live("output, exit code and the end of standard error come back", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* shell("echo out; echo err >&2; exit 3"), {
        exitCode: 3,
        stdout: "out\n",
        stderr: "err\n"
      });
    })
  );

  it.live("nothing of this process's environment is inherited", () =>
    Effect.gen(function* () {
      process.env["WINNOW_TEST_SECRET"] = "s";
      const { stdout } = yield* shell("env");
      assert.notInclude(stdout, "WINNOW_TEST_SECRET");
    })
  );

  it.live(
    "a program that takes too long is ended with all its child processes, even if it ignores SIGTERM",
    () =>
      Effect.gen(function* () {
        const pids: Array<number> = [];
        const bothSpoke = Promise.withResolvers<void>();
        // The test advances the timers once both processes run, however long the machine takes to start them.
        vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
        yield* Effect.addFinalizer(() => Effect.sync(() => vi.useRealTimers()));
        const script = "trap '' TERM; echo $$; (trap '' TERM; exec sleep 600) & echo $!; wait";
        const onLine = (line: string) => (pids.push(Number(line)) === 2 ? bothSpoke.resolve() : undefined);
        const running = yield* Effect.forkChild(Effect.flip(shell(script, { onLine })));
        yield* Effect.promise(() => bothSpoke.promise);
        vi.advanceTimersByTime(TIMEOUT_MS);
        assert.isTrue(pids.every(isRunning), "they ignore SIGTERM");
        vi.advanceTimersByTime(TIMEOUT_MS);
        assert.strictEqual((yield* Fiber.join(running)).reason, "timeout");
        vi.useRealTimers();
        yield* until(() => pids.every((pid) => !isRunning(pid)));
      })
  );

  it.live("interruption ends the program before it returns, and its group with it", () =>
    Effect.gen(function* () {
      const pids: Array<number> = [];
      const fiber = yield* Effect.forkChild(
        shell("echo $$; sleep 600 & echo $!; wait", { onLine: (line) => pids.push(Number(line)) })
      );
      yield* until(() => pids.length === 2);
      yield* Fiber.interrupt(fiber);
      assert.isFalse(isRunning(pids[0] ?? 0));
      yield* until(() => !pids.some(isRunning));
    })
  );

  it.live("processes left in a program's group end with it", () =>
    Effect.gen(function* () {
      const { stdout } = yield* shell("sleep 600 >/dev/null 2>&1 & echo $!");
      yield* until(() => !isRunning(Number(stdout)));
    })
  );

  it.live("a process that left the group does not delay the result", () =>
    Effect.gen(function* () {
      const { stdout } = yield* shell("mkfifo p; setsid sh -c 'echo $$ > p; exec sleep 600' & cat p");
      const pid = Number(stdout);
      assert.isTrue(isRunning(pid));
      process.kill(pid);
    })
  );

  it.live("too much output, too large a file and too much memory end it", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(shell("yes", { stdoutMaxBytes: 1_000 }));
      assert.strictEqual(failure.reason, "output_too_large");
      const file = yield* shell("head -c 100000 /dev/zero > big", { fileMaxBytes: 1_000 });
      assert.notStrictEqual(file.exitCode, 0);
      const memory = yield* shell("x=$(head -c 300000000 /dev/zero | tr '\\0' a)", {
        memoryMaxBytes: 100_000_000
      });
      assert.notStrictEqual(memory.exitCode, 0);
    })
  );

  it.live("a program that does not exist is reported as missing", () =>
    Effect.gen(function* () {
      const outcome = yield* Effect.result(shell("", { program: "/no/such/program" }));
      // With prlimit, a missing program results in an exit code.
      assert.isTrue(outcome._tag === "Failure" || outcome.success.exitCode !== 0);
    })
  );
});

const program = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, 0o755);
  return path;
};

describe("ExternalPrograms", () => {
  it("the interpreter of yt-dlp is read from its first lines", () => {
    const python = program("python3.12", "#!/bin/sh\n");
    const script = program("script", `#!${python}\nimport yt_dlp\n`);
    assert.deepStrictEqual(pythonOf(script, ""), { interpreter: python, importPath: null });
    const link = join(folder, "link");
    symlinkSync(script, link);
    assert.deepStrictEqual(pythonOf(link, ""), { interpreter: python, importPath: null });
    const zip = program("zip", `#!/usr/bin/env python3.12\nPK\u0003\u0004`);
    assert.deepStrictEqual(pythonOf(zip, folder), { interpreter: python, importPath: zip });
    const long = program("long", `#!/bin/sh\n'''exec' "${python}" "$0" "$@"\n' '''\n`);
    assert.deepStrictEqual(pythonOf(long, ""), { interpreter: python, importPath: null });
  });

  it("a standalone binary or a wrapper has no interpreter", () => {
    assert.isNull(pythonOf(program("elf", "\u007fELF"), ""));
    assert.isNull(pythonOf(program("wrapper", "#!/bin/bash\nexec yt-dlp\n"), ""));
  });

  it.live("a missing program is reported with the command that installs it", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(locatePrograms({ path: "/nowhere" }));
      assert.deepStrictEqual(failure.missing, ["yt-dlp", "ffmpeg", "ffprobe"]);
      assert.match(failure.message, /ffmpeg was not found; install it with: \S+/u);
      const reports = yield* reportPrograms({ path: "/nowhere" });
      assert.isTrue(
        reports.every(({ path, problem, remedy }) => path === null && problem !== null && remedy !== null)
      );
    })
  );

  it.live("an explicit path that does not exist is not replaced by a program on PATH", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(locatePrograms({ ytDlp: "/no/yt-dlp" }));
      assert.deepStrictEqual(failure.missing, ["yt-dlp"]);
    })
  );

  it.live("tesseract can be off, and a report says which languages it reads", () =>
    Effect.gen(function* () {
      const of = (settings: Parameters<typeof reportPrograms>[0]) =>
        Effect.map(reportPrograms(settings), (reports) => reports.find(({ name }) => name === "tesseract"));
      assert.deepInclude(yield* of({ tesseract: "off" }), { version: "off", problem: null, required: false });
      const path = join(folder, "tesseract");
      writeFileSync(
        path,
        `#!/bin/sh\n[ "$1" = --version ] && echo tesseract 5.9.9 || printf 'List:\\neng\\nfra\\n'\n`
      );
      chmodSync(path, 0o755);
      assert.deepInclude(yield* of({ tesseract: path }), {
        path,
        version: "5.9.9 (fra, eng)",
        problem: null
      });
      writeFileSync(path, `#!/bin/sh\necho tesseract 5.9.9\n`);
      assert.match((yield* of({ tesseract: path }))?.problem ?? "", /no language/u);
    })
  );

  it.live("every program here is found with its version", () =>
    Effect.gen(function* () {
      const reports = yield* reportPrograms({});
      for (const { name, path, version } of reports) {
        // Only tests of slides need it, and are skipped without it.
        if (name === "tesseract" && path === null) continue;
        assert.isTrue(path !== null && version !== null, name);
        assert.match(version ?? "", /^\d/u);
      }
    })
  );
});
