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
import type { ScannedWord } from "@winnow/pages/documents/pdf/ScannedText";

export interface Tesseract {
  /** The sure words of a picture in the run's own folder, line by line; empty if there are none. */
  readonly read: (run: RunFolder, path: string) => Effect.Effect<string, ProcessFailed>;
  /** Those of a scanned page, whichever side is up in its picture; null if it could not be read. */
  readonly readPage: (
    run: RunFolder,
    path: string,
    dotsPerInch: number
  ) => Effect.Effect<ReadonlyArray<ScannedWord> | null, ProcessFailed>;
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

const LIST_TIMEOUT_MS = 10_000;

/** Uses 100 MB with three languages and a picture of 16 megapixels. */
const MEMORY_MAX_BYTES = 1_024 * 2 ** 20;

/** Of its list of languages. */
const LIST_MAX_BYTES = 2 ** 20;

/** How a picture is read. Its table has a row of 60 bytes for each word. */
interface Reading {
  readonly options: ReadonlyArray<string>;
  readonly timeoutMs: number;
  readonly stdoutMaxBytes: number;
}

/**
 * `11` finds words anywhere, row by row: with the default, tables are read column by column, which no quote would match.
 * A slide takes half a second, a photo of 16 megapixels some seconds.
 */
const SLIDE: Reading = {
  options: options("--psm 11 --dpi 96 tsv"),
  timeoutMs: 20_000,
  stdoutMaxBytes: 4 * 2 ** 20
};

/**
 * `1` finds lines, and before them which side is up, with the data that tesseract has for that. A full page takes two
 * seconds of processor time, and a page of a newspaper has 5,000 words.
 */
const pageOf = (dotsPerInch: number): Reading => ({
  options: options(`--psm 1 --dpi ${dotsPerInch} tsv`),
  timeoutMs: 60_000,
  stdoutMaxBytes: 2 ** 19
});

/** Concurrent readings of this process, at most half of them for one account. */
const READINGS_AT_ONCE_MAX = Math.max(2, availableParallelism());

const inTurn = inTurnOfRun(makeFairPermits(READINGS_AT_ONCE_MAX));

/** Row of the table for a word, the first of the four columns of its box, and the last two. */
const WORD_LEVEL = "5";
const BOX_COLUMN = 6;
const CONFIDENCE_COLUMN = 10;
const WORD_COLUMN = 11;

const joined = (words: ReadonlyArray<ScannedWord>): string => words.map(({ text }) => text).join(" ");

/**
 * The words of tesseract's table (level, page, block, paragraph, line, word, box, confidence, text) that it is sure of, in
 * lines that have some; none on a picture of grain.
 */
export const sureWords = (table: string): ReadonlyArray<ScannedWord> => {
  const lines = new Map<string, Array<ScannedWord>>();
  for (const row of table.split("\n")) {
    const columns = row.split("\t");
    const text = cleanLine(columns[WORD_COLUMN] ?? "");
    if (columns[0] !== WORD_LEVEL || text === null || !(Number(columns[CONFIDENCE_COLUMN]) >= CONFIDENCE_MIN))
      continue;
    const line = columns.slice(1, 5).join();
    const [left = 0, top = 0, width = 0, height = 0] = columns
      .slice(BOX_COLUMN, CONFIDENCE_COLUMN)
      .map(Number);
    const words = lines.get(line) ?? [];
    words.push({ text, line, left, top, width, height });
    lines.set(line, words);
  }
  const found = [...lines.values()].filter((words) => IS_WORDED.test(joined(words))).flat();
  return (joined(found).match(/[\p{L}\p{N}]/gu) ?? []).length < LETTERS_MIN ? [] : found;
};

/** Line by line. */
export const textOfWords = (words: ReadonlyArray<ScannedWord>): string =>
  [...Map.groupBy(words, ({ line }) => line).values()].map(joined).join("\n");

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
    stdoutMaxBytes: LIST_MAX_BYTES
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
  const tableOf = Effect.fnUntraced(function* (run: RunFolder, picture: string, reading: Reading) {
    const own = yield* makeProgramFolder(run);
    const { exitCode, stdout } = yield* runBounded({
      confinement:
        sandbox === null
          ? null
          : { sandbox, readable: [...files, picture], proxySocket: null, readOnly: true },
      program,
      args: [picture, "stdout", "-l", languages.join("+"), ...reading.options],
      folder: own,
      environment: environmentOf(path, own),
      timeoutMs: reading.timeoutMs,
      stdoutMaxBytes: reading.stdoutMaxBytes,
      memoryMaxBytes: MEMORY_MAX_BYTES,
      fileMaxBytes: 0
    });
    return exitCode === 0 ? stdout : null;
  }, Effect.scoped);
  const wordsOf = (...given: Parameters<typeof tableOf>) =>
    Effect.map(inTurn(tableOf(...given)), (table) => (table === null ? null : sureWords(table)));
  return {
    read: (run, picture) => Effect.map(wordsOf(run, picture, SLIDE), (words) => textOfWords(words ?? [])),
    readPage: (run, picture, dotsPerInch) => wordsOf(run, picture, pageOf(dotsPerInch))
  };
});
