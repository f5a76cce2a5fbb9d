/**
 * The programs that downloads and the language model's inputs need.
 */
import { reportChromium } from "@winnow/adapters/chromium/ChromiumProgram";
import { findTools, type ToolSettings } from "@winnow/adapters/download/Tools";
import * as Effect from "effect/Effect";
import type { Settings } from "../Config.ts";

export const toolSettings = (settings: Settings): ToolSettings => ({
  ytDlp: settings.ytDlp ?? undefined,
  ffmpeg: settings.ffmpeg ?? undefined,
  galleryDl: settings.galleryDl ?? undefined
});

/** Those that `winnow doctor` reports. */
export const findPrograms = (settings: Settings) =>
  Effect.zipWith(
    findTools(toolSettings(settings)),
    Effect.promise(() => reportChromium(settings.chromium)),
    (tools, chromium) => [...tools, chromium],
    { concurrent: true }
  );
