/** Captions in XML: TTML and DFXP (W3C TTML2, section 12), and YouTube's `srv1` to `srv3`. Tests: readCaptions.test.ts. */
import type { Cue } from "@winnow/core/domain/transcript/Transcript";
import { Parser } from "htmlparser2";
import { captionSeconds } from "@winnow/core/domain/transcript/CaptionTimes";
import { cueOf } from "./textCaptions.ts";

// Time expressions of TTML (W3C TTML2, section 12.3.1): clock times and offsets, in frames or ticks too.

export interface Clock {
  readonly framesPerSecond: number;
  readonly ticksPerSecond: number;
}

const FRAMES_PER_SECOND = 30;

const positive = (text: string | undefined): number | null => {
  const value = Number(text);
  return text !== undefined && Number.isFinite(value) && value > 0 ? value : null;
};

/** From the attributes of the root element. */
const clockOf = (attributes: Readonly<Record<string, string>>): Clock => {
  const frames = positive(attributes["ttp:frameRate"]);
  const [numerator, denominator] = (attributes["ttp:frameRateMultiplier"] ?? "1 1").split(/[\s:]/u);
  const multiplier = (positive(numerator) ?? 1) / (positive(denominator) ?? 1);
  const framesPerSecond = (frames ?? FRAMES_PER_SECOND) * multiplier;
  const subFrames = positive(attributes["ttp:subFrameRate"]) ?? 1;
  return {
    framesPerSecond,
    ticksPerSecond:
      positive(attributes["ttp:tickRate"]) ?? (frames === null ? 1 : framesPerSecond * subFrames)
  };
};

/** Times of TTML: `00:01:02.500`, or `00:01:02:12` with frames. */
const CLOCK_TIME = /^(\d{1,4}):(\d{1,2}):(\d{1,2})(?:(\.\d{1,9})|:(\d{2,4})(?:\.\d{1,4})?)?$/u;
/** `62.5s`, `1500ms`, `90f` frames, `900t` ticks. */
const OFFSET = /^(\d{1,12}(?:\.\d{1,9})?)(h|m|s|ms|f|t)$/u;

const secondsPer = (unit: string, { framesPerSecond, ticksPerSecond }: Clock): number => {
  switch (unit) {
    case "h":
      return 3_600;
    case "m":
      return 60;
    case "ms":
      return 0.001;
    case "f":
      return 1 / framesPerSecond;
    case "t":
      return 1 / ticksPerSecond;
    default:
      return 1;
  }
};

/** Seconds; null if it is not a time. */
export const secondsOf = (text: string | undefined, clock: Clock): number | null => {
  const trimmed = text?.trim() ?? "";
  const time = CLOCK_TIME.exec(trimmed);
  if (time !== null) {
    const [, hours, minutes, seconds, fraction = "0", frames = "0"] = time;
    const whole = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
    return whole + Number(fraction) + Number(frames) / clock.framesPerSecond;
  }
  const [, amount, unit] = OFFSET.exec(trimmed) ?? [];
  return amount === undefined || unit === undefined
    ? captionSeconds(trimmed)
    : Number(amount) * secondsPer(unit, clock);
};

type Attributes = Readonly<Record<string, string>>;

/** Seconds; null if the element has no times of its own. */
interface Times {
  readonly start: number;
  readonly end: number;
}

/** Maximum depth of elements; real files have about ten. The parser's time is quadratic in it. */
const DEPTH_MAX = 100;

/** Characters parsed between looks at the depth. */
const CHUNK_CHARS = 8_192;

const withoutPrefix = (name: string): string => name.slice(name.indexOf(":") + 1).toLowerCase();

/** YouTube's attributes: `start` and `dur` in seconds, or `t` and `d` in milliseconds. */
const youTubeTimes = ({ d, dur, start, t }: Attributes): Times | null => {
  const from = start === undefined ? Number(t ?? Number.NaN) / 1_000 : Number(start);
  const durationSeconds = dur === undefined ? Number(d ?? 0) / 1_000 : Number(dur);
  if (start === undefined && t === undefined) return null;
  return { start: from, end: from + durationSeconds };
};

/** Times of an element are relative to its parent's begin. */
const ttmlTimes = (attributes: Attributes, parent: Times, clock: Clock): Times | null => {
  const { begin, dur, end } = attributes;
  if (begin === undefined && end === undefined && dur === undefined) return null;
  const start = parent.start + (begin === undefined ? 0 : (secondsOf(begin, clock) ?? Number.NaN));
  const duration = secondsOf(dur, clock);
  const until = secondsOf(end, clock);
  const ends = [
    ...(duration === null ? [] : [start + duration]),
    ...(until === null ? [] : [parent.start + until])
  ];
  return { start, end: ends.length === 0 ? parent.end : Math.min(...ends) };
};

interface Open {
  readonly name: string;
  readonly times: Times;
  /** Whether the text inside is shown for its times. */
  readonly isCaption: boolean;
  /** Whether the text inside says how the characters beside it are read. */
  readonly isReading: boolean;
}

/**
 * W3C TTML2, section 10.2.35: the text, what holds it, and the brackets around it. YouTube's `srv3` has the same as
 * numbers of its pens.
 */
const READINGS: ReadonlySet<string> = new Set(["text", "textContainer", "delimiter", "2", "4", "5"]);

const isReading = (attributes: Attributes): boolean =>
  Object.entries(attributes).some(
    ([name, value]) => /(?:^|:)(?:ruby|rb)$/u.test(name) && READINGS.has(value.trim())
  );

const ALWAYS: Times = { start: 0, end: Number.POSITIVE_INFINITY };

class CaptionReader {
  readonly cues: Array<Cue> = [];
  isTooDeep = false;
  private readonly open: Array<Open> = [];
  private depth = 0;
  private text = "";
  private clock: Clock = clockOf({});
  private isTtml = false;
  /** Ids of the styles and pens of readings. */
  private readonly readings = new Set<string>();

  enter(fullName: string, attributes: Attributes): void {
    this.depth += 1;
    if (this.depth > DEPTH_MAX) this.isTooDeep = true;
    if (this.isTooDeep) return;
    const name = withoutPrefix(fullName);
    if (this.depth === 1) {
      this.isTtml = name === "tt";
      if (this.isTtml) this.clock = clockOf(attributes);
    }
    const parent = this.open.at(-1)?.times ?? ALWAYS;
    const own = this.isTtml ? ttmlTimes(attributes, parent, this.clock) : youTubeTimes(attributes);
    const isCaption = this.isTtml
      ? name === "p" || (name === "span" && own !== null)
      : /^(?:p|text)$/u.test(name);
    if (isCaption) this.flush();
    if (name === "br") this.text += "\n";
    if ((name === "style" || name === "pen") && isReading(attributes))
      this.readings.add(attributes["xml:id"] ?? attributes["id"] ?? "");
    this.open.push({ name, times: own ?? parent, isCaption, isReading: this.reads(attributes) });
  }

  leave(): void {
    this.depth -= 1;
    if (this.isTooDeep) return;
    if (this.open.at(-1)?.isCaption === true) this.flush();
    this.open.pop();
  }

  /** Whether an element is a reading by itself or by its style or pen. */
  private reads(attributes: Attributes): boolean {
    const named = attributes["style"] ?? attributes["p"] ?? "";
    return isReading(attributes) || named.split(/\s+/u).some((id) => this.readings.has(id));
  }

  read(text: string): void {
    if (this.open.some((each) => each.isReading)) return;
    // Line breaks of TTML are elements; YouTube's are characters.
    this.text += this.isTtml ? text.replaceAll(/\s+/gu, " ") : text;
  }

  /** Ends the caption that the text so far belongs to. */
  private flush(): void {
    const caption = this.open.findLast(({ isCaption }) => isCaption);
    if (caption !== undefined && caption.times !== ALWAYS)
      this.cues.push(...cueOf(caption.times.start, caption.times.end, this.text));
    this.text = "";
  }
}

/** YouTube escapes entities once more within `srv1`. */
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#39|quot|amp|lt|gt);/gu, (entity) => ENTITIES[entity] ?? entity);

const ENTITIES: Readonly<Record<string, string>> = {
  "&#39;": "'",
  "&quot;": '"',
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">"
};

export const readXmlCaptions = (text: string): ReadonlyArray<Cue> => {
  const reader = new CaptionReader();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.enter(name, attributes),
      onclosetag: () => reader.leave(),
      ontext: (data) => reader.read(data)
    },
    { xmlMode: true, decodeEntities: true }
  );
  for (let at = 0; at < text.length; at += CHUNK_CHARS) {
    parser.write(text.slice(at, at + CHUNK_CHARS));
    if (reader.isTooDeep) return [];
  }
  parser.end();
  return /^\s*(?:<\?xml[^>]*>\s*)?<transcript\b/u.test(text)
    ? reader.cues.map((cue) => ({ ...cue, text: unescaped(cue.text) }))
    : reader.cues;
};
