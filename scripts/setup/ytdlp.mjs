/**
 * yt-dlp's own release, for machines without apt-get or root, or with one that is too old for YouTube: one pinned
 * file, verified before use. It is a Python zip application that needs Python 3.10 or newer.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, say } from "./commands.mjs";
import { onPath, PROGRAMS_DIR } from "./paths.mjs";

const RELEASE = {
  version: "2026.08.19",
  url: "https://github.com/yt-dlp/yt-dlp/releases/download/2026.08.19/yt-dlp",
  sha256: "1fa6733c37ea6fb51c99ad8fe785e7b7e5f3246c9b980230329d4fb72ed8d4d6"
};
const DOWNLOAD_TIMEOUT_MS = 120_000;
const PYTHON_MINOR_MIN = 10;

/** First version that runs YouTube's scripts in Node (adapters: sources/yt-dlp/YtDlpVersion). */
export const YOUTUBE_SINCE = "2025.11.12";

/** Delay before a failed download is tried again, in milliseconds. */
const RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

const output = (program) => {
  try {
    return run(program, ["--version"]).trim();
  } catch {
    return "";
  }
};

const download = async ({ url, sha256 }, folder) => {
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== sha256) throw new Error(`it is not the pinned file: its SHA-256 is ${found}, not ${sha256}`);
  mkdirSync(folder, { recursive: true });
  const part = path.join(folder, ".yt-dlp.part");
  writeFileSync(part, bytes, { mode: 0o755 });
  renameSync(part, path.join(folder, "yt-dlp"));
};

/** If that fails, changes nothing and reports why. */
export const installYtDlpRelease = async ({ folder = PROGRAMS_DIR, release = RELEASE, tell = say } = {}) => {
  const [, minor = "0"] = /^Python 3\.(\d+)/u.exec(output("python3")) ?? [];
  if (Number(minor) < PYTHON_MINOR_MIN) {
    tell(`yt-dlp's release needs Python 3.${PYTHON_MINOR_MIN} or newer as "python3", which is not here.`);
    return;
  }
  tell(`Downloading yt-dlp ${release.version} …`);
  try {
    await download(release, folder);
    tell(`Downloaded yt-dlp ${release.version} (checksum right).`);
  } catch (error) {
    const cause = error.cause?.code ?? error.cause?.message;
    const why = `${error.message}${cause === undefined ? "" : ` (${cause})`}`;
    tell(`yt-dlp ${release.version} could not be downloaded from ${release.url}: ${why}.`);
  }
};

const wasTried = (marker) => existsSync(marker) && Date.now() - statSync(marker).mtimeMs < RETRY_AFTER_MS;

/** The yt-dlp to run: the one on PATH, or the pinned release if that is too old and the release can be had. */
export const preferRelease = async (found = onPath("yt-dlp"), options = {}) => {
  const { folder = PROGRAMS_DIR, tell = say } = options;
  const release = path.join(folder, "yt-dlp");
  if (found === null || found === release) return found;
  const version = output(found);
  if (!/^\d{4}\./u.test(version) || version >= YOUTUBE_SINCE) return found;
  const marker = path.join(folder, ".yt-dlp.tried");
  if (!existsSync(release) && !wasTried(marker)) {
    tell(`yt-dlp ${version} is too old for YouTube (${YOUTUBE_SINCE} or newer): trying the pinned release.`);
    await installYtDlpRelease(options);
    mkdirSync(folder, { recursive: true });
    if (!existsSync(release)) {
      writeFileSync(marker, "");
      tell(
        `Continuing with yt-dlp ${version}: YouTube will fail, other sites mostly work. ` +
          "The download is tried again after 24 hours, or install a newer one: uv tool install yt-dlp"
      );
    }
  }
  return existsSync(release) ? release : found;
};
