/**
 * Finds yt-dlp, ffmpeg and gallery-dl: from the settings, the data folder or PATH; else installs them as root on
 * Debian or Ubuntu with apt-get; else a pinned release with a checksum; else reports the command to type. A yt-dlp
 * that is too old for YouTube is replaced by the pinned release.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { canUseApt, installWithApt } from "./apt.mjs";
import { say, SetupFailed } from "./commands.mjs";
import { onPath, PROGRAMS_DIR } from "./paths.mjs";
import { installYtDlpRelease, preferRelease } from "./ytdlp.mjs";

/** Only photo posts of some hosts need gallery-dl, so its absence is reported but not fatal. */
const PROGRAMS = [
  { name: "ffmpeg", setting: "WINNOW_FFMPEG", package: "ffmpeg", required: true },
  {
    name: "yt-dlp",
    setting: "WINNOW_YTDLP",
    package: "yt-dlp",
    required: true,
    release: installYtDlpRelease
  },
  { name: "gallery-dl", setting: "WINNOW_GALLERY_DL", package: "gallery-dl", required: false },
  // The sandbox; Linux only.
  ...(process.platform === "linux"
    ? [{ name: "bwrap", setting: "", package: "bubblewrap", required: false }]
    : [])
];

const find = ({ name, setting }) => {
  const given = process.env[setting];
  if (given !== undefined && given !== "") {
    if (!existsSync(given)) throw new SetupFailed(`${setting} names "${given}", which does not exist.`);
    return given;
  }
  const downloaded = path.join(PROGRAMS_DIR, name);
  return onPath(name) ?? (existsSync(downloaded) ? downloaded : null);
};

const INSTALL_HINTS = {
  darwin: (names) => `brew install ${names.join(" ")}`,
  linux: (names) =>
    `sudo apt-get install ${names.join(" ")}    # Debian, Ubuntu (yt-dlp from backports on Debian 12)\n` +
    `  sudo dnf install ${names.join(" ")}        # Fedora\n` +
    `  uv tool install ${names.filter((name) => name !== "ffmpeg").join(" && uv tool install ") || "yt-dlp"}    # any, without root`
};

const hint = (missing) => {
  const make =
    INSTALL_HINTS[process.platform] ?? ((names) => `install ${names.join(", ")} so that they are on PATH`);
  return make(missing.map((program) => program.package));
};

/** Features that are unavailable without the optional programs. */
const WITHOUT = {
  "gallery-dl": "photo posts of TikTok, Instagram and the like cannot be read",
  bwrap: "programs run without a sandbox"
};

const absent = () => PROGRAMS.filter((program) => find(program) === null);

/** Optional: without it, script-driven pages are read as their servers send them. */
const BROWSERS = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

const hasBrowser = () =>
  process.env.WINNOW_CHROMIUM !== undefined || BROWSERS.some((name) => onPath(name) !== null);

const sayIfNoBrowser = () => {
  if (hasBrowser()) return;
  const command =
    process.platform === "darwin" ? "brew install --cask chromium" : "sudo apt-get install chromium";
  say(
    `Without Chromium, pages that their scripts make are read as servers send them. To add it:\n  ${command}`
  );
};

const tryApt = (programs) => {
  if (programs.length === 0 || !canUseApt()) return;
  say(`Installing ${programs.map(({ name }) => name).join(", ")} with apt-get …`);
  try {
    installWithApt(programs.map((program) => program.package));
  } catch (error) {
    say(`apt-get could not install everything. ${error.message}`);
  }
};

/** Settings for programs found outside PATH. `browser` and `ocr` also install Chromium and tesseract, if apt can. */
export const installPrograms = async ({ browser = false, ocr = false } = {}) => {
  tryApt(absent());
  // Separately, so that the others are installed even if this package does not exist.
  if (browser && !hasBrowser()) tryApt([{ name: "Chromium", package: "chromium" }]);
  if (ocr && !process.env.WINNOW_TESSERACT && onPath("tesseract") === null)
    tryApt([{ name: "tesseract", package: "tesseract-ocr" }]);
  for (const program of absent()) await program.release?.();
  const missing = absent();
  const fatal = missing.filter(({ required }) => required);
  if (fatal.length > 0) {
    throw new SetupFailed(
      `Missing: ${fatal.map(({ name }) => name).join(", ")}. Winnow cannot fetch media without it. Type:\n  ${hint(fatal)}`
    );
  }
  for (const program of missing) {
    say(`Without ${program.package}, ${WITHOUT[program.name]}. To add it:\n  ${hint([program])}`);
  }
  sayIfNoBrowser();
  const downloaded = Object.fromEntries(
    PROGRAMS.filter(({ name }) => onPath(name) === null && existsSync(path.join(PROGRAMS_DIR, name))).map(
      ({ name, setting }) => [setting, path.join(PROGRAMS_DIR, name)]
    )
  );
  if (process.env.WINNOW_YTDLP) return downloaded;
  const ytDlp = await preferRelease();
  return ytDlp === null || ytDlp === onPath("yt-dlp") ? downloaded : { ...downloaded, WINNOW_YTDLP: ytDlp };
};
