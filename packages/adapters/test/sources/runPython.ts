/** Runs Python that uses the modules of yt-dlp's fork server, with the interpreter and the yt-dlp found here. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../src/programs/ExternalPrograms.ts";

const MODULES = fileURLToPath(new URL("../../src/sources/yt-dlp/fork", import.meta.url));

const OUTPUT_BYTES_MAX = 2 ** 26;

interface PythonRun {
  /** A file, or `-c` and code; its first argument is the folder of the modules. */
  readonly program: ReadonlyArray<string>;
  readonly args?: ReadonlyArray<string>;
  readonly input?: string;
}

/** What the program prints. */
export const runPython = Effect.fnUntraced(function* ({ program, args = [], input = "" }: PythonRun) {
  const { ytDlpPython } = yield* locatePrograms({});
  const { interpreter, importPath } = ytDlpPython ?? { interpreter: "python3", importPath: null };
  return execFileSync(interpreter, [...program, MODULES, ...args], {
    env: { ...process.env, ...(importPath === null ? {} : { WINNOW_YTDLP_IMPORT_PATH: importPath }) },
    input,
    encoding: "utf8",
    maxBuffer: OUTPUT_BYTES_MAX
  });
});

const HEAD = `
import json, sys
sys.path.insert(0, sys.argv[1])
import ytdlp_server as server
argument = json.loads(sys.argv[2])
`;

/**
 * What the code prints.
 *
 * @param code finds the module of the fork server as `server`
 * @param argument JSON, which the code finds as `argument`
 */
export const printedInServer = (code: string, argument: unknown) =>
  runPython({ program: ["-c", HEAD + code], args: [JSON.stringify(argument)] });
