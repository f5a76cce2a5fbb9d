/** Whether files named by settings exist and can be used. */
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { BadSetting, Settings } from "./Config.ts";

/** Domain, subdomains, path, secure, expiry, name, value. */
const NETSCAPE_FIELDS = 7;

const isUsable = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

/** yt-dlp skips lines it cannot read; a file without a readable line has another format. */
const isCookieFile = (path: string): boolean => {
  if (!isUsable(path, constants.R_OK) || !statSync(path).isFile()) return false;
  const lines = readFileSync(path, "utf8")
    .split(/\r?\n/u)
    .filter((line) => line.trim() !== "" && (!line.startsWith("#") || line.startsWith("#HttpOnly_")));
  return lines.length === 0 || lines.some((line) => line.split("\t").length === NETSCAPE_FIELDS);
};

const nearestExistingPath = (path: string): string =>
  existsSync(path) ? path : nearestExistingPath(dirname(path));

/**
 * Creates a folder to find out: in /proc this fails although permissions allow it, and with `recursive` it never
 * ends.
 */
const takesFolders = (path: string): boolean => {
  try {
    rmdirSync(mkdtempSync(join(path, ".winnow-")));
    return true;
  } catch {
    return false;
  }
};

/** Whether a folder exists and is writable, or can be created. */
export const isWritableFolder = (path: string): boolean => {
  const there = nearestExistingPath(path);
  return statSync(there).isDirectory() && takesFolders(there);
};

const unusableProgram = (settings: Settings): BadSetting | null => {
  const programs = [
    ["WINNOW_YTDLP", settings.ytDlp],
    ["WINNOW_FFMPEG", settings.ffmpeg],
    ["WINNOW_GALLERY_DL", settings.galleryDl],
    ["WINNOW_CHROMIUM", settings.chromium === "off" ? null : settings.chromium]
  ] as const;
  for (const [name, path] of programs) {
    if (path !== null && !isUsable(path, constants.X_OK)) {
      return { name, message: `${name} is "${path}", but must be the path of an executable program.` };
    }
  }
  return null;
};

const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
};

/** Inside the data folder, which must be writable; created at start-up. */
const unusableArtifacts = ({ artifacts, dataDir }: Settings): BadSetting | null => {
  if (artifacts._tag !== "Directory" || isInside(artifacts.directory, dataDir)) return null;
  const { directory } = artifacts;
  return isWritableFolder(directory)
    ? null
    : {
        name: "WINNOW_ARTIFACTS_URL",
        message: `WINNOW_ARTIFACTS_URL names "${directory}", but must name a writable directory.`
      };
};

const unusableCookies = ({ cookiesFile }: Settings): BadSetting | null =>
  cookiesFile === null || isCookieFile(cookiesFile)
    ? null
    : {
        name: "WINNOW_COOKIES_FILE",
        message: `WINNOW_COOKIES_FILE is "${cookiesFile}", but must be the path of a readable Netscape cookie file.`
      };

/** The first setting that names a missing or unusable file; null if all are valid. */
export const unusablePath = (settings: Settings): BadSetting | null =>
  unusableProgram(settings) ?? unusableArtifacts(settings) ?? unusableCookies(settings);
