/** read_transcript, read_file and list_extractions. Tests: tools.test.ts. */
import type { CompleteResult } from "../generated/types.ts";
import { ToolError } from "./toolError.ts";
import { answerOf, firstFitting, isFitting, present, type Facts, type ToolAnswer } from "./answer.ts";
import { LIST_LIMIT_DEFAULT, type ToolInput } from "./definitions.ts";
import { beginningOf, CHARACTERS_DEFAULT, CHARACTERS_MAX, pageOfText } from "./paging.ts";
import { EVIDENCE_FILE, EXTRACTION_FILE, FILES_MAX, isTextType, TRANSCRIPT } from "./runAnswer.ts";
import type { ToolCall, ToolFile } from "./toolSource.ts";

// A transcript as lines with timestamps: all of it, a time range, or the lines that match a phrase.

interface Segment {
  readonly startSec: number;
  readonly endSec: number;
  readonly text: string;
}

interface TimedTranscript {
  readonly language: string | null;
  readonly segments: ReadonlyArray<Segment>;
}

const isSegment = (value: unknown): value is Segment => {
  const { startSec, endSec, text } = (value ?? {}) as Partial<Segment>;
  return typeof startSec === "number" && typeof endSec === "number" && typeof text === "string";
};

/** Content of `transcript.json`. */
const readTimed = (json: string): TimedTranscript => {
  const { language, segments } = JSON.parse(json) as Partial<TimedTranscript>;
  return {
    language: typeof language === "string" ? language : null,
    segments: Array.isArray(segments) ? segments.filter(isSegment) : []
  };
};

const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 3_600;

const padded = (value: number): string => String(value).padStart(2, "0");

/** `0:04`, `1:02:03`. */
const timeOf = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor((whole % SECONDS_PER_HOUR) / SECONDS_PER_MINUTE);
  const rest = padded(whole % SECONDS_PER_MINUTE);
  return whole < SECONDS_PER_HOUR
    ? `${minutes}:${rest}`
    : `${Math.floor(whole / SECONDS_PER_HOUR)}:${padded(minutes)}:${rest}`;
};

const lineOf = ({ startSec, text }: Segment): string => `[${timeOf(startSec)}] ${text.replaceAll("\n", " ")}`;

/** Ignores case, accents, character width and spacing. */
const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .trim();

const needleOf = (search: string): string => {
  const needle = folded(search);
  if (needle !== "") return needle;
  throw new ToolError("invalid_request", "search contains no letters or digits; pass a word or a phrase.");
};

interface Found<Item> {
  /** The items that contain the phrase or a part of a match. */
  readonly items: ReadonlyArray<Item>;
  /** Number of matches; null without a phrase. */
  readonly matches: number | null;
}

/** Also finds phrases that span several captions, since captions can break anywhere in a sentence. */
const searchIn = <Item>(
  items: ReadonlyArray<Item>,
  textOf: (item: Item) => string,
  needle: string | null
): Found<Item> => {
  if (needle === null) return { items, matches: null };
  const texts = items.map((item) => folded(textOf(item)));
  const ends: Array<number> = [];
  let length = 0;
  for (const text of texts) ends.push((length += text.length + 1));
  const whole = texts.join(" ");
  const hit = new Set<number>();
  let matches = 0;
  let item = 0;
  for (let at = whole.indexOf(needle); at >= 0; at = whole.indexOf(needle, at + needle.length)) {
    matches += 1;
    while ((ends[item] ?? Infinity) <= at) item += 1;
    for (let last = item; ; last += 1) {
      hit.add(last);
      if ((ends[last] ?? Infinity) >= at + needle.length) break;
    }
  }
  return { items: items.filter((_, index) => hit.has(index)), matches };
};

/** The segments that overlap the range. */
const within = (
  segments: ReadonlyArray<Segment>,
  startSec: number,
  endSec: number
): ReadonlyArray<Segment> => {
  if (startSec > endSec) throw new ToolError("invalid_request", "startSec must not be greater than endSec.");
  return segments.filter((segment) => segment.endSec >= startSec && segment.startSec <= endSec);
};

const TIMED_TRANSCRIPT = "transcript.json";

/** Longer texts, which would take hundreds of pages, are returned as links. */
const TEXT_BYTES_MAX = 16_777_216;
/** Largest image that hosts accept in one tool result. */
const IMAGE_BYTES_MAX = 1_048_576;

/** A page of a text as a tool result that fits; if escaping makes the text much longer, the page is shorter. */
export const pagedAnswer = (
  text: string,
  { cursor, maxCharacters = CHARACTERS_DEFAULT }: Pick<ToolInput, "cursor" | "maxCharacters">,
  ours: Facts
): ToolAnswer => {
  for (let characters = Math.min(maxCharacters, CHARACTERS_MAX); ; characters = Math.ceil(characters / 2)) {
    const page = pageOfText(text, cursor, characters);
    const answer = answerOf(
      { ...ours, totalCharacters: text.length, nextCursor: page.nextCursor },
      { text: page.text }
    );
    if (isFitting(answer) || characters === 1) return answer;
  }
};

/** @fails not_found, not_ready */
const completeResult = async (id: string, { source, signal }: ToolCall): Promise<CompleteResult> => {
  const result = await source.result(id, signal);
  if (result.status === "complete") return result as CompleteResult;
  throw result.status === "failed"
    ? new ToolError("not_found", `The extraction failed, so it has no files: ${result.error}`)
    : new ToolError("not_ready", "The extraction is still running; call get_extraction first.");
};

const textFile = async (id: string, name: string, { source, signal }: ToolCall): Promise<string> => {
  const { bytes } = await source.file(id, name, TEXT_BYTES_MAX, signal);
  return new TextDecoder().decode(bytes);
};

const NO_WORDS = "This extraction has no transcript; see `files` of get_extraction for what it has.";

export const readTranscript = async (input: ToolInput, call: ToolCall): Promise<ToolAnswer> => {
  const { id, startSec = 0, endSec = Infinity, search } = input;
  const { files } = (await completeResult(id, call)).summary;
  const needle = search === undefined ? null : needleOf(search);
  if (files.includes(TIMED_TRANSCRIPT)) {
    const { language, segments } = readTimed(await textFile(id, TIMED_TRANSCRIPT, call));
    const { items, matches } = searchIn(within(segments, startSec, endSec), ({ text }) => text, needle);
    return pagedAnswer(items.map(lineOf).join("\n"), input, { language, matches });
  }
  if (!files.includes(TRANSCRIPT)) throw new ToolError("not_found", NO_WORDS);
  if ("startSec" in input || "endSec" in input) {
    throw new ToolError("invalid_request", "This text has no timestamps; call without startSec and endSec.");
  }
  const lines = (await textFile(id, TRANSCRIPT, call)).split("\n");
  const { items, matches } = searchIn(lines, (line) => line, needle);
  return pagedAnswer(items.join("\n"), input, { matches });
};

const BASE64_SLICE = 0x8000;

const base64Of = (bytes: Uint8Array): string => {
  let binary = "";
  for (let at = 0; at < bytes.length; at += BASE64_SLICE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + BASE64_SLICE));
  }
  return btoa(binary);
};

const imageAnswer = (name: string, { bytes, contentType, sizeBytes }: ToolFile): ToolAnswer =>
  answerOf({ name, type: contentType, bytes: sizeBytes }, {}, [
    { type: "image", data: base64Of(bytes), mimeType: contentType }
  ]);

/** For files that a model cannot read directly: a download link. */
const linkAnswer = async (
  id: string,
  name: string,
  file: Facts,
  { source, signal }: ToolCall
): Promise<ToolAnswer> => {
  const link = await source.link(id, name, signal);
  return answerOf({
    name,
    ...file,
    url: link?.url,
    expiresAt: link?.expiresAt,
    next:
      link === null
        ? "This file is neither text nor a small image, and there is no server to download it from; `winnow " +
          "extract --out FOLDER` saves files."
        : "This file is neither text nor a small image: download it from url (works without a key until " +
          "expiresAt), or give that link to the user."
  });
};

/** The two parts of a result that can be read like files. */
const partOf = (name: string, result: CompleteResult): unknown =>
  name === EXTRACTION_FILE ? result.extraction : name === EVIDENCE_FILE ? result.evidence : null;

export const readFile = async (input: ToolInput, call: ToolCall): Promise<ToolAnswer> => {
  const { id, name } = input;
  const result = await completeResult(id, call);
  const part = partOf(name, result) ?? null;
  if (part !== null) {
    return pagedAnswer(JSON.stringify(part, null, 2), input, { name, type: "application/json" });
  }
  const known = result.artifacts.details.find((file) => file.name === name);
  if (known === undefined) {
    const names = result.summary.files.slice(0, FILES_MAX).join(", ");
    throw new ToolError("not_found", `No such file; this extraction has ${names === "" ? "none" : names}.`);
  }
  const { contentType: type, bytes } = known;
  if (isTextType(type) && bytes <= TEXT_BYTES_MAX) {
    return pagedAnswer(await textFile(id, name, call), input, { name, type, bytes });
  }
  if (type.startsWith("image/") && bytes <= IMAGE_BYTES_MAX) {
    return imageAnswer(name, await call.source.file(id, name, IMAGE_BYTES_MAX, call.signal));
  }
  return linkAnswer(id, name, { type, bytes }, call);
};

/** Maximum characters of URLs and titles in a list; shorter ones are used if the result would be too long. */
const LIST_CHARS: ReadonlyArray<number> = [200, 80, 30];

export const listExtractions = async (
  { limit = LIST_LIMIT_DEFAULT, cursor, batchId }: ToolInput,
  { source, signal }: ToolCall
): Promise<ToolAnswer> => {
  const page = await source.list({ limit, cursor, batchId }, signal);
  return firstFitting(
    LIST_CHARS.map((characters) =>
      answerOf(
        { nextCursor: page.next_cursor },
        {
          extractions: page.data.map((item) => ({
            id: item.id,
            status: item.status,
            url: beginningOf(item.url, characters),
            ...present({ title: item.title && beginningOf(item.title, characters), outcome: item.outcome }),
            credits: item.creditsDebited - item.creditsRefunded,
            createdAt: item.createdAt
          }))
        }
      )
    )
  );
};
