/**
 * Finds ffmpeg, yt-dlp, gallery-dl and bubblewrap: from the settings, the data folder or PATH; else installs them, as
 * root on Debian or Ubuntu with apt-get, yt-dlp and gallery-dl from the Python package index; else reports the command
 * to type.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { canUseApt, hasPackage, installWithApt } from "./apt.mjs";
import { say, SetupFailed } from "./commands.mjs";
import { chooseDownloaders } from "./downloaders.mjs";
import { isRecent, onPath, SETUP_DIR } from "./paths.mjs";

/** Only photo posts of some hosts need gallery-dl, so its absence is reported but not fatal. */
const DOWNLOADERS = [
  { name: "yt-dlp", setting: "WINNOW_YTDLP", package: "yt-dlp", required: true },
  { name: "gallery-dl", setting: "WINNOW_GALLERY_DL", package: "gallery-dl", required: false }
];

const PROGRAMS = [
  { name: "ffmpeg", setting: "WINNOW_FFMPEG", package: "ffmpeg", required: true },
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
  return onPath(name);
};

const INSTALL_HINTS = {
  darwin: (names) => `brew install ${names.join(" ")}`,
  linux: (names) =>
    `sudo apt-get install ${names.join(" ")}    # Debian, Ubuntu\n` +
    `  sudo dnf install ${names.join(" ")}        # Fedora`
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

const absentOf = (programs) => programs.filter((program) => find(program) === null);

/** What is missing but not needed is said once a day. */
export const sayDaily = (name, text, { folder = SETUP_DIR, tell = say } = {}) => {
  const marker = path.join(folder, `said-${name}`);
  if (isRecent(marker)) return;
  tell(text);
  mkdirSync(folder, { recursive: true });
  writeFileSync(marker, "");
};

/** Optional: without it, script-driven pages are read as their servers send them. */
const BROWSERS = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

const hasBrowser = () =>
  process.env.WINNOW_CHROMIUM !== undefined || BROWSERS.some((name) => onPath(name) !== null);

const sayIfNoBrowser = () => {
  if (hasBrowser()) return;
  const command =
    process.platform === "darwin" ? "brew install --cask chromium" : "sudo apt-get install chromium";
  sayDaily(
    "chromium",
    `Without Chromium, pages that their scripts make are read as servers send them; to add it: ${command}`
  );
};

/** For the tests of the web app: without a window that nobody sees, a page takes a quarter less. Ubuntu lacks it. */
const SHELL = "chromium-headless-shell";

const tryApt = async (programs) => {
  if (programs.length === 0 || !canUseApt()) return;
  say(`Installing ${programs.map(({ name }) => name).join(", ")} with apt-get …`);
  try {
    await installWithApt(programs.map((program) => program.package));
  } catch (error) {
    say(`apt-get could not install everything. ${error.message}`);
  }
};

const report = (missing) => {
  const fatal = missing.filter(({ required }) => required);
  if (fatal.length > 0) {
    throw new SetupFailed(
      `Missing: ${fatal.map(({ name }) => name).join(", ")}. Winnow cannot fetch media without it. Type:\n  ${hint(fatal)}`
    );
  }
  for (const program of missing) {
    sayDaily(
      program.name,
      `Without ${program.package}, ${WITHOUT[program.name]}; to add it: ${hint([program])}`
    );
  }
};

/** Folders of programs that belong before those of PATH. */
export const choosePrograms = async () => {
  const downloaders = process.env.WINNOW_YTDLP ? null : await chooseDownloaders({ install: null });
  return downloaders === null ? [] : [downloaders];
};

/** Installs what is missing and apt has; with `browser` and `ocr` also Chromium and tesseract. */
export const installSystemPrograms = async ({ browser = false, ocr = false } = {}) => {
  await tryApt(absentOf(PROGRAMS));
  // Separately, so that the others are installed even if this package does not exist.
  if (browser && !hasBrowser()) await tryApt([{ name: "Chromium", package: "chromium" }]);
  if (browser && onPath(SHELL) === null && canUseApt() && (await hasPackage(SHELL)))
    await tryApt([{ name: SHELL, package: SHELL }]);
  if (ocr && !process.env.WINNOW_TESSERACT && onPath("tesseract") === null)
    await tryApt([{ name: "tesseract", package: "tesseract-ocr" }]);
};

/** As {@link choosePrograms}, after installing the downloaders if they are missing. */
export const installPrograms = async () => {
  const given = find(DOWNLOADERS[0]) !== onPath("yt-dlp");
  const downloaders = given ? null : await chooseDownloaders();
  const others = downloaders === null ? [...PROGRAMS, ...DOWNLOADERS] : PROGRAMS;
  if (downloaders === null) await tryApt(absentOf(DOWNLOADERS));
  report(absentOf(others));
  sayIfNoBrowser();
  return downloaders === null ? [] : [downloaders];
};
