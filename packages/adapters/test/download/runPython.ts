/** Runs Python that uses the modules of yt-dlp's fork server, with the interpreter and the yt-dlp found here. */
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../src/programs/ExternalPrograms.ts";

const SERVER = fileURLToPath(new URL("../../src/download/yt-dlp/ytdlp_server.py", import.meta.url));

const HEAD = `
import json, sys
sys.path.insert(0, sys.argv[1])
import ytdlp_server as server
argument = json.loads(sys.argv[2])
`;

/**
 * What the code prints.
 *
 * @param code finds the module as `server`
 * @param argument JSON, which the code finds as `argument`
 */
export const printedInServer = Effect.fnUntraced(function* (code: string, argument: unknown = null) {
  const { ytDlpPython } = yield* locatePrograms({});
  const { interpreter, zip } = ytDlpPython ?? { interpreter: "python3", zip: null };
  return execFileSync(interpreter, ["-c", HEAD + code, dirname(SERVER), JSON.stringify(argument)], {
    env: { ...process.env, ...(zip === null ? {} : { WINNOW_YTDLP_ZIP: zip }) },
    encoding: "utf8"
  });
});
