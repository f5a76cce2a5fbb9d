/**
 * Which yt-dlp is run: the one on PATH, unless it is older than what YouTube wants and the pinned release is
 * there or can be had.
 */
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, say } from "./commands.mjs";
import { onPath, PROGRAMS_DIR } from "./paths.mjs";
import { installYtDlpRelease } from "./release.mjs";

/** The first that runs YouTube's scripts in Node (adapters: download/yt-dlp/YtDlpVersion). */
export const YOUTUBE_SINCE = "2025.11.12";

/** After a release could not be had, it is asked for again no sooner, in milliseconds. */
const RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

const numbersOf = (version) => version.split(".").map(Number);

/** Whether one date-like version comes before another; one that cannot be read is none that is too old. */
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

/** Brings the pinned release when the program on PATH is too old; says so and leaves it at that when it cannot. */
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
    tell(`yt-dlp ${version} is older than what YouTube wants (${YOUTUBE_SINCE}): trying the pinned release.`);
    await install();
    mkdirSync(folder, { recursive: true });
    if (!existsSync(release)) writeFileSync(marker, "");
  }
  return existsSync(release) ? release : found;
};
