/** The text of the sample talk, for its voice and its subtitles. */

export interface Line {
  readonly en: string;
  readonly de: string;
}

export const LINES: ReadonlyArray<Line> = [
  {
    en: "Good evening. This is a very short talk about sieves.",
    de: "Guten Abend. Dies ist ein sehr kurzer Vortrag über Siebe."
  },
  {
    en: "To winnow is to let the wind carry the chaff away.",
    de: "Worfeln heißt, die Spreu vom Wind forttragen zu lassen."
  },
  {
    en: "What is heavy falls down, and what is light is gone.",
    de: "Was schwer ist, fällt zu Boden; was leicht ist, ist fort."
  },
  { en: "A good reader does the same with a page.", de: "Eine gute Leserin tut dasselbe mit einer Seite." },
  { en: "Keep the grain. Thank you for listening.", de: "Behalten Sie das Korn. Danke fürs Zuhören." }
];

export const SECONDS_PER_LINE = 4;
export const TALK_SECONDS = LINES.length * SECONDS_PER_LINE;

const stamp = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 23);

export const webVtt = (language: keyof Line): string =>
  `WEBVTT\n\n${LINES.map(
    (line, index) =>
      `${stamp(index * SECONDS_PER_LINE)} --> ${stamp((index + 1) * SECONDS_PER_LINE)}\n${line[language]}\n`
  ).join("\n")}`;
