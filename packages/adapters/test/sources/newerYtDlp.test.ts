// @module-tag long
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../src/programs/sandbox/ExternalPrograms.ts";
import { programEnvironment } from "../../src/programs/process/ProgramEnvironment.ts";
import { makeYtDlpServer } from "../../src/sources/yt-dlp/YtDlpServer.ts";
import { temporaryFolder } from "./harness.ts";

/**
 * The installed version as a release file, without RTSP, which yt-dlp dropped in July 2026. It has few extractors,
 * because Python compiles every file that it imports from a release file.
 */
const PACK = `
import os, re, sys, zipfile, yt_dlp
root = os.path.dirname(os.path.dirname(yt_dlp.__file__))
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    for folder, _, files in os.walk(os.path.dirname(yt_dlp.__file__)):
        for file in files:
            path = os.path.join(folder, file)
            if not file.endswith('.py') or path.endswith('downloader/rtsp.py'):
                continue
            with open(path, encoding='utf-8') as source:
                text = source.read()
            if path.endswith('downloader/__init__.py'):
                text = re.sub(r".*Rtsp.*\\n", '', text)
            if path.endswith('extractor/_extractors.py'):
                text = 'from .generic import GenericIE\\nfrom .bandcamp import BandcampIE\\n'
            archive.writestr(os.path.relpath(path, root), text)
`;

describe("The fork server", () => {
  it.live("starts with a newer yt-dlp that dropped a feature", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder();
      const programs = yield* locatePrograms({});
      const { interpreter, zip } = programs.ytDlpPython ?? { interpreter: "python3", zip: null };
      const packed = join(folder, "yt-dlp");
      const env = { ...process.env, ...(zip === null ? {} : { PYTHONPATH: zip }) };
      execFileSync(interpreter, ["-c", PACK, packed], { env });
      const environment = programEnvironment({ path: programs.path, folder, proxyUrl: null });
      const server = yield* makeYtDlpServer(
        {
          interpreter,
          argv: ["--ignore-config"],
          folder,
          confinement: null,
          environment: { ...environment, WINNOW_YTDLP_ZIP: packed }
        },
        programs.path
      );
      yield* server.warm;
    })
  );
});
