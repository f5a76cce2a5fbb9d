/** Whether files named by settings exist and can be used. Tests: serve.test.ts, SettingError.test.ts. */
import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { type SettingMessage, told } from "./SettingRow.ts";
import { SETTINGS, type Settings } from "./SettingsTable.ts";

const isUsable = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
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

const unusableProgram = (settings: Settings): SettingMessage | null => {
  for (const key of ["ytdlp", "ffmpeg", "galleryDl", "tesseract", "chromium"] as const) {
    const path = settings[key];
    const isProgram = path !== null && !((key === "chromium" || key === "tesseract") && path === "off");
    if (isProgram && !isUsable(path, constants.X_OK)) {
      return told`${SETTINGS[key]} is "${path}", but must be the path of an executable program.`;
    }
  }
  return null;
};

const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
};

/** Inside the data folder, which must be writable; created at start-up. */
const unusableArtifacts = ({ artifactsUrl, dataDir }: Settings): SettingMessage | null => {
  if (artifactsUrl._tag !== "Directory" || isInside(artifactsUrl.directory, dataDir)) return null;
  const { directory } = artifactsUrl;
  return isWritableFolder(directory)
    ? null
    : told`${SETTINGS.artifactsUrl} names "${directory}", but must name a writable directory.`;
};

/** The first setting that names a missing or unusable file; null if all are valid. */
export const unusablePath = (settings: Settings): SettingMessage | null =>
  unusableProgram(settings) ?? unusableArtifacts(settings);
