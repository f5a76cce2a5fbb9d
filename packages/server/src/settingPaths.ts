/**
 * Whether the files that settings name are there and can be used.
 */
import { accessSync, constants } from "node:fs";
import type { BadSetting, Settings } from "./Config.ts";

const isUsable = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

/** The first setting that names a file which is not there or may not be used; null when all is well. */
export const unusablePath = (settings: Settings): BadSetting | null => {
  const programs = [
    ["WINNOW_YTDLP", settings.ytDlp],
    ["WINNOW_FFMPEG", settings.ffmpeg],
    ["WINNOW_GALLERY_DL", settings.galleryDl]
  ] as const;
  for (const [name, path] of programs) {
    if (path !== null && !isUsable(path, constants.X_OK)) {
      return { name, message: `${name} is "${path}", but must be the path of a program that can be run.` };
    }
  }
  const { cookiesFile } = settings;
  return cookiesFile === null || isUsable(cookiesFile, constants.R_OK)
    ? null
    : {
        name: "WINNOW_COOKIES_FILE",
        message: `WINNOW_COOKIES_FILE is "${cookiesFile}", but must be the path of a file that can be read.`
      };
};
