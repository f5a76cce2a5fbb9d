/**
 * Writes cues as WebVTT and as SubRip: what SRT files, pieces of HLS subtitles and speech become. Pure.
 */
import type { Cue } from "./Transcript.ts";

/** `00:01:02.500`, as WebVTT wants it (W3C WebVTT, section 4.1); SubRip has a comma for the point. */
const timestamp = (seconds: number, point = "."): string => {
  const milliseconds = Math.round(seconds * 1_000);
  const part = (value: number, digits: number): string => String(value).padStart(digits, "0");
  const whole = Math.floor(milliseconds / 1_000);
  return `${part(Math.floor(whole / 3_600), 2)}:${part(Math.floor(whole / 60) % 60, 2)}:${part(whole % 60, 2)}${point}${part(milliseconds % 1_000, 3)}`;
};

/** Cue text may hold neither tags nor an arrow; entities stand for their characters. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const writeVtt = (cues: ReadonlyArray<Cue>): string =>
  [
    "WEBVTT\n",
    ...cues.map(
      (cue) => `${timestamp(cue.startSeconds)} --> ${timestamp(cue.endSeconds)}\n${escaped(cue.text)}\n`
    )
  ].join("\n");

/** Numbered from 1. An empty line would end a cue, and an arrow looks like its times. */
export const writeSrt = (cues: ReadonlyArray<Cue>): string =>
  cues
    .map(({ endSeconds, startSeconds, text }, index) => {
      const words = text.replaceAll(/\n{2,}/gu, "\n").replaceAll("-->", "->");
      return `${index + 1}\n${timestamp(startSeconds, ",")} --> ${timestamp(endSeconds, ",")}\n${words}\n`;
    })
    .join("\n");
