/** Reads a program's version. Tests: adapters' programs.test.ts. */
import { tmpdir } from "node:os";
import * as Effect from "effect/Effect";
import { runBounded } from "./BoundedProcess.ts";
import { programEnvironment } from "./ProgramEnvironment.ts";

/** Time limit of a version check; cold Python on a slow disk takes about 5 s. */
export const VERSION_TIMEOUT_MS = 15_000;

const OUTPUT_MAX_BYTES = 65_536;

const firstVersion = (text: string): string | null =>
  /\d[\w.+-]*/u.exec(text.split("\n")[0] ?? "")?.[0] ?? null;

/** The version a program reports; null if it does not run. */
export const askVersion = (
  program: string,
  args: ReadonlyArray<string>,
  path: string
): Effect.Effect<string | null> =>
  runBounded({
    program,
    args,
    folder: tmpdir(),
    environment: programEnvironment({ path, folder: tmpdir(), proxyUrl: null }),
    timeoutMs: VERSION_TIMEOUT_MS,
    stdoutMaxBytes: OUTPUT_MAX_BYTES
  }).pipe(
    Effect.map(({ exitCode, stdout }) => (exitCode === 0 ? firstVersion(stdout) : null)),
    Effect.orElseSucceed(() => null)
  );
