/** SubStation Alpha (ASS and SSA): the `Dialogue` lines of the section `[Events]`. */
import type { Cue } from "@winnow/core/domain/transcript/Transcript";
import { cueOf } from "./cueOf.ts";

/** Columns of `Dialogue` unless a `Format` line says otherwise. */
const COLUMNS = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"];

const TIME = /^(\d{1,3}):(\d{1,2}):(\d{1,2}(?:[.:]\d{1,3})?)$/u;

const secondsOf = (time: string | undefined): number => {
  const match = TIME.exec(time?.trim() ?? "");
  return match === null
    ? Number.NaN
    : Number(match[1]) * 3_600 + Number(match[2]) * 60 + Number((match[3] ?? "").replace(":", "."));
};

/** Shapes drawn with vector commands, which are no words. */
const DRAWING = /\{[^{}]*\\p[1-9][^{}]*\}/u;

const shown = (text: string): string =>
  DRAWING.test(text)
    ? ""
    : text
        .replaceAll(/\{[^{}]*\}/gu, "")
        .replaceAll("\\N", "\n")
        .replaceAll(/\\[nh]/gu, " ");

/** The last column may contain commas. */
const fieldsOf = (line: string, count: number): ReadonlyArray<string> => {
  const parts = line.split(",");
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(",")];
};

export const readSubStation = (text: string): ReadonlyArray<Cue> => {
  let columns: ReadonlyArray<string> = COLUMNS;
  let inEvents = false;
  const cues: Array<Cue> = [];
  for (const line of text.split(/\r\n|\n|\r/u)) {
    const section = /^\[([^\]]{1,100})\]/u.exec(line)?.[1];
    if (section !== undefined) inEvents = section.toLowerCase() === "events";
    if (!inEvents) continue;
    const [, key = "", value = ""] = /^(Format|Dialogue):\s*(.*)$/u.exec(line) ?? [];
    if (key === "Format") columns = value.split(",").map((name) => name.trim().toLowerCase());
    if (key !== "Dialogue") continue;
    const fields = fieldsOf(value, columns.length);
    const field = (name: string): string | undefined => fields[columns.indexOf(name)];
    cues.push(...cueOf(secondsOf(field("start")), secondsOf(field("end")), shown(field("text") ?? "")));
  }
  return cues;
};
