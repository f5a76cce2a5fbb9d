/**
 * tesseract, which reads the words on slides and scanned pages. Only those that it is sure of are kept, because photos
 * look like words to it too.
 */
import { cleanLine } from "@winnow/core/domain/text/CleanText";
import { availableParallelism } from "node:os";
import * as Effect from "effect/Effect";
import { inTurnOfRun, makeFairPermits } from "@winnow/isolation/runtime/FairPermits";
import { options, type ProcessFailed, runBounded } from "@winnow/isolation/process/BoundedProcess";
import { programEnvironment } from "@winnow/isolation/process/ProgramEnvironment";
import { makeProgramFolder, type RunFolder } from "@winnow/isolation/process/RunFolder";
import { programFiles } from "@winnow/isolation/sandbox/programFiles";
import type { Sandbox } from "@winnow/isolation/sandbox/Sandbox";

export interface Tesseract {
  /** The sure words of a picture in the run's own folder, line by line; empty if there are none. */
  readonly read: (run: RunFolder, path: string) => Effect.Effect<string, ProcessFailed>;
  /** Those of a scanned page, column by column, with an empty line between paragraphs; null if it could not be read. */
  readonly readPage: (
    run: RunFolder,
    path: string,
    dotsPerInch: number
  ) => Effect.Effect<string | null, ProcessFailed>;
}

export interface TesseractSettings {
  /** Absolute path. */
  readonly program: string;
  /** Search path. */
  readonly path: string;
  /** Null where programs run without a sandbox. */
  readonly sandbox: Sandbox | null;
}

/** Of 100. The share of wrong words among those kept is in README.md. */
const CONFIDENCE_MIN = 60;

/** A line of a single letter is grain of a photo; a single digit may be a cell of a table. */
const IS_WORDED = /\p{L}\p{L}|\p{N}/u;

/** Fewer letters and digits on a whole picture are grain too. */
const LETTERS_MIN = 3;

/** Each language costs time and memory; more are only installed by packages with all of them. */
const LANGUAGES_MAX = 6;

/** Read if more are installed. */
const FALLBACK_LANGUAGE = "eng";

/** Data of tesseract that is no language: orientation, equations. */
const NO_LANGUAGE = new Set(["osd", "equ", "snum"]);

/** A slide takes half a second, a photo of 16 megapixels some seconds. */
const READ_TIMEOUT_MS = 20_000;

/** A full page takes two seconds of processor time for each language. */
const READ_PAGE_TIMEOUT_MS = 60_000;

const LIST_TIMEOUT_MS = 10_000;

/** Uses 100 MB with three languages and a picture of 16 megapixels. */
const MEMORY_MAX_BYTES = 1_024 * 2 ** 20;

/** A line of 60 bytes for each word. */
const OUTPUT_MAX_BYTES = 4 * 2 ** 20;

/**
 * `11` finds words anywhere, row by row: with the default, tables are read column by column, which no quote would match.
 */
const READING = options("--psm 11 --dpi 96 tsv");

/** `3` finds columns and paragraphs. */
const READING_PAGE = options("--psm 3");

/** Concurrent readings of this process, at most half of them for one account. */
const READINGS_AT_ONCE_MAX = Math.max(2, availableParallelism());

const inTurn = inTurnOfRun(makeFairPermits(READINGS_AT_ONCE_MAX));

/** Row of the table for a word, and its last two columns. */
const WORD_LEVEL = "5";
const CONFIDENCE_COLUMN = 10;
const WORD_COLUMN = 11;

/** A line of sure words, of a paragraph that has this name in the table. */
interface SureLine {
  readonly paragraph: string;
  readonly text: string;
}

/** The sure words of tesseract's table (level, page, block, paragraph, line, word, box, confidence, text), line by line. */
const sureLines = (table: string): ReadonlyArray<SureLine> => {
  const lines = new Map<string, { readonly paragraph: string; readonly words: Array<string> }>();
  for (const row of table.split("\n")) {
    const columns = row.split("\t");
    const word = columns[WORD_COLUMN]?.trim() ?? "";
    if (columns[0] !== WORD_LEVEL || word === "" || !(Number(columns[CONFIDENCE_COLUMN]) >= CONFIDENCE_MIN))
      continue;
    const place = columns.slice(1, 5).join();
    const line = lines.get(place) ?? { paragraph: columns.slice(1, 4).join(), words: [] };
    line.words.push(word);
    lines.set(place, line);
  }
  const found = [...lines.values()]
    .map(({ paragraph, words }) => ({ paragraph, text: cleanLine(words.join(" ")) ?? "" }))
    .filter(({ text }) => IS_WORDED.test(text));
  const letters = found.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu) ?? []).length, 0);
  return letters < LETTERS_MIN ? [] : found;
};

const joined = (lines: ReadonlyArray<SureLine>): string => lines.map(({ text }) => text).join("\n");

export const sureWords = (table: string): string => joined(sureLines(table));

export const sureParagraphs = (table: string): string =>
  [...Map.groupBy(sureLines(table), ({ paragraph }) => paragraph).values()].map(joined).join("\n\n");

/** The languages to read, of those that `--list-langs` prints after its first line. */
export const languagesOf = (listed: string): ReadonlyArray<string> => {
  const found = listed
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .filter((name) => /^[\w/]+$/u.test(name) && !NO_LANGUAGE.has(name));
  const known = found.length > LANGUAGES_MAX ? found.filter((name) => name === FALLBACK_LANGUAGE) : found;
  // The first decides in doubt, and English would take the accents off the others.
  return known.toSorted((a, b) => Number(a === FALLBACK_LANGUAGE) - Number(b === FALLBACK_LANGUAGE));
};

/** The operator's own folder of languages, which tesseract itself knows by this name. */
const languageFolder = (): string | null => process.env["TESSDATA_PREFIX"] || null;

const environmentOf = (path: string, folder: string) => {
  const languages = languageFolder();
  return {
    ...programEnvironment({ path, folder, proxyUrl: null }),
    // Its threads wait for each other in a loop.
    OMP_THREAD_LIMIT: "1",
    ...(languages === null ? {} : { TESSDATA_PREFIX: languages })
  };
};

/** Installed languages that are read; empty if it does not run. Its own folder is `folder`. */
export const readableLanguages = (
  { program, path }: Pick<TesseractSettings, "program" | "path">,
  folder: string
): Effect.Effect<ReadonlyArray<string>> =>
  runBounded({
    program,
    args: ["--list-langs"],
    folder,
    environment: environmentOf(path, folder),
    timeoutMs: LIST_TIMEOUT_MS,
    stdoutMaxBytes: OUTPUT_MAX_BYTES
  }).pipe(
    Effect.map(({ exitCode, stdout }) => (exitCode === 0 ? languagesOf(stdout) : [])),
    Effect.orElseSucceed(() => [])
  );

/** Null if it has no language to read. */
export const makeTesseract = Effect.fnUntraced(function* (
  { path, program, sandbox }: TesseractSettings,
  folder: string
): Effect.fn.Return<Tesseract | null> {
  const languages = yield* readableLanguages({ path, program }, folder);
  if (languages.length === 0) return null;
  const data = languageFolder();
  const files = [...programFiles(program), ...(data === null ? [] : [data])];
  const tableOf = Effect.fnUntraced(function* (
    run: RunFolder,
    picture: string,
    { reading, timeoutMs }: { readonly reading: ReadonlyArray<string>; readonly timeoutMs: number }
  ) {
    const own = yield* makeProgramFolder(run);
    const { exitCode, stdout } = yield* runBounded({
      confinement:
        sandbox === null
          ? null
          : { sandbox, readable: [...files, picture], proxySocket: null, readOnly: true },
      program,
      args: [picture, "stdout", "-l", languages.join("+"), ...reading],
      folder: own,
      environment: environmentOf(path, own),
      timeoutMs,
      stdoutMaxBytes: OUTPUT_MAX_BYTES,
      memoryMaxBytes: MEMORY_MAX_BYTES,
      fileMaxBytes: 0
    });
    return exitCode === 0 ? stdout : null;
  }, Effect.scoped);
  return {
    read: (run, picture) =>
      Effect.map(inTurn(tableOf(run, picture, { reading: READING, timeoutMs: READ_TIMEOUT_MS })), (table) =>
        sureWords(table ?? "")
      ),
    readPage: (run, picture, dotsPerInch) => {
      const reading = [...READING_PAGE, "--dpi", String(dotsPerInch), "tsv"];
      return Effect.map(
        inTurn(tableOf(run, picture, { reading, timeoutMs: READ_PAGE_TIMEOUT_MS })),
        (table) => (table === null ? null : sureParagraphs(table))
      );
    }
  };
});
