/**
 * yt-dlp's own release for machines without apt-get or root: one pinned file, verified before use. It is a Python
 * zip application that needs Python 3.10 or newer.
 */
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, say } from "./commands.mjs";
import { onPath, PROGRAMS_DIR } from "./paths.mjs";

const YTDLP = {
  version: "2026.08.19",
  url: "https://github.com/yt-dlp/yt-dlp/releases/download/2026.08.19/yt-dlp",
  sha256: "1fa6733c37ea6fb51c99ad8fe785e7b7e5f3246c9b980230329d4fb72ed8d4d6"
};
const DOWNLOAD_TIMEOUT_MS = 120_000;
const PYTHON_MINOR_MIN = 10;

const pythonIsNewEnough = () => {
  if (onPath("python3") === null) return false;
  const version = /^Python 3\.(\d+)/u.exec(run("python3", ["--version"]));
  return version !== null && Number(version[1]) >= PYTHON_MINOR_MIN;
};

/** Downloads, verifies and stores a release; throws if its checksum is wrong. */
export const installRelease = async (name, { version, url, sha256 }, folder = PROGRAMS_DIR) => {
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== sha256)
    throw new Error(`${url} is not the pinned file: its SHA-256 is ${found}, not ${sha256}`);
  mkdirSync(folder, { recursive: true });
  const part = path.join(folder, `.${name}.part`);
  writeFileSync(part, bytes);
  chmodSync(part, 0o755);
  renameSync(part, path.join(folder, name));
  say(`Downloaded ${name} ${version} (checksum right).`);
};

/** If that fails, changes nothing and reports why. */
export const installYtDlpRelease = async () => {
  if (!pythonIsNewEnough()) {
    say(`yt-dlp's release needs Python 3.${PYTHON_MINOR_MIN} or newer as "python3", which is not here.`);
    return;
  }
  say(`Downloading yt-dlp ${YTDLP.version} …`);
  try {
    await installRelease("yt-dlp", YTDLP);
  } catch (error) {
    const cause = error.cause?.code ?? error.cause?.message;
    say(
      `yt-dlp ${YTDLP.version} could not be downloaded from ${YTDLP.url}: ` +
        `${error.message}${cause === undefined ? "" : ` (${cause})`}.`
    );
  }
};
