/**
 * Chooses the yt-dlp to run: the one on PATH, unless it is too old for YouTube and the pinned release is available.
 */
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, say } from "./commands.mjs";
import { onPath, PROGRAMS_DIR } from "./paths.mjs";
import { installYtDlpRelease } from "./release.mjs";

/** First version that runs YouTube's scripts in Node (adapters: download/yt-dlp/YtDlpVersion). */
export const YOUTUBE_SINCE = "2025.11.12";

/** Delay before a failed download is tried again, in milliseconds. */
const RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

const numbersOf = (version) => version.split(".").map(Number);

/** Whether one date-like version precedes another; unparsable versions are not too old. */
export const isOlder = (version, wanted) => {
  const [found, least] = [numbersOf(version), numbersOf(wanted)];
  if (found.some(Number.isNaN)) return false;
  const index = least.findIndex((number, at) => (found[at] ?? 0) !== number);
  return index !== -1 && (found[index] ?? 0) < least[index];
};

const versionOf = (program) => {
  try {
    return run(program, ["--version"]).trim();
  } catch {
    return "";
  }
};

const wasTried = (marker) => existsSync(marker) && Date.now() - statSync(marker).mtimeMs < RETRY_AFTER_MS;

/** Installs the pinned release if the program on PATH is too old; if that fails, only reports it. */
export const preferRelease = async (
  found = onPath("yt-dlp"),
  { folder = PROGRAMS_DIR, install = installYtDlpRelease, tell = say } = {}
) => {
  const release = path.join(folder, "yt-dlp");
  if (found === null || found === release) return found;
  const version = versionOf(found);
  if (!isOlder(version, YOUTUBE_SINCE)) return found;
  const marker = path.join(folder, ".yt-dlp.tried");
  if (!existsSync(release) && !wasTried(marker)) {
    tell(`yt-dlp ${version} is too old for YouTube (${YOUTUBE_SINCE} or newer): trying the pinned release.`);
    await install();
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
