/**
 * The whole process from the client's side: quote, submit, wait, download.
 *
 *   npm run demo             a talk, the same as a stream, a carousel, an article and a recipe of a sample site
 *   npm run demo -- URL …    the same for your own URLs
 *   npm run demo -- --look   its runs in the web app, until Ctrl+C
 *   npm run demo -- --help   this list
 *
 * The recipe is read with a schema, by the language model of OPENAI_API_KEY. Without a key, a fake model reads labels,
 * and nothing leaves this machine.
 *
 * Exit code 0 only if every artifact exists, is not empty and has the right type.
 */
import { mkdir } from "node:fs/promises";
import { constants } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Winnow, type CompleteResult, type ProbeResponse } from "@winnow/client/node";
import { openModel } from "./demo/model.ts";
import { findSpeech } from "./demo/speech.ts";
import { look, rememberAccount } from "./demo/look.ts";
import { createAccount, startServer } from "./demo/server.ts";
import { durationOf, printable, sizeOf, StatusLine, table } from "./demo/terminal.ts";
import { faultOf } from "./demo/verify.ts";
import { startSite } from "./site/site.ts";

const FOLDER = path.resolve(process.env.WINNOW_DATA_DIR ?? ".winnow", "demo");
const CREDITS = 100_000;
const MODALITIES = ["transcript", "comments", "audio", "video"] as const;

interface Task {
  readonly name: string;
  readonly url: string;
  /** Required artifacts; none for unknown URLs. */
  readonly expected: ReadonlyArray<string>;
  readonly schema?: Readonly<Record<string, unknown>>;
}

const RECIPE = {
  type: "object",
  properties: { dish: { type: "string" }, servings: { type: "integer" }, minutes: { type: "integer" } },
  required: ["dish", "servings", "minutes"]
};

const SUBTITLES = ["subtitles.de.srt", "subtitles.de.vtt", "subtitles.en.srt", "subtitles.en.vtt"];
const EVERY_RUN = ["thumbnail.jpg", "description.txt", "metadata.json"];
const TALK = ["video.mp4", "audio.m4a", "transcript.txt", ...EVERY_RUN, ...SUBTITLES];
const SLIDES = [1, 2, 3, 4].map((number) => `image.0${number}.jpg`);
const ARTICLE = ["transcript.txt", "page.md", ...EVERY_RUN];

const sampleTasks = (site: string): ReadonlyArray<Task> => [
  { name: "talk", url: `${site}/talk`, expected: TALK },
  { name: "stream", url: `${site}/talk-hls`, expected: TALK },
  { name: "carousel", url: `${site}/carousel`, expected: [...SLIDES, ...EVERY_RUN] },
  { name: "article", url: `${site}/article`, expected: ARTICLE },
  { name: "recipe", url: `${site}/recipe`, expected: ARTICLE, schema: RECIPE }
];

interface Saved {
  readonly name: string;
  readonly sizeBytes: number;
  readonly fault: string | null;
}

interface Report {
  readonly task: Task;
  readonly quote: ProbeResponse;
  readonly result: CompleteResult;
  readonly creditsDebited: number;
  readonly creditsRefunded: number;
  readonly folder: string;
  readonly files: ReadonlyArray<Saved>;
  readonly missing: ReadonlyArray<string>;
}

const download = async (winnow: Winnow, id: string, name: string, folder: string): Promise<Saved> => {
  const file = path.join(folder, name);
  const sizeBytes = await winnow.files.save(id, name, file);
  return { name, sizeBytes, fault: await faultOf(file) };
};

/** The price, and the body to submit: videos without captions are transcribed if there is a speech model. */
const quoteOf = async (winnow: Winnow, { schema, url }: Task, hasSpeech: boolean) => {
  const body = schema === undefined ? { url } : { url, schema };
  const quote = await winnow.probe(body);
  const isSilent = quote.hasSubtitles || quote.durationSec === null || schema !== undefined;
  if (!hasSpeech || isSilent) return { body, quote };
  const spoken = { url, speech: true };
  return { body: spoken, quote: await winnow.probe(spoken) };
};

const extract = async (winnow: Winnow, task: Task, hasSpeech: boolean): Promise<Report> => {
  const status = new StatusLine(task.name.padEnd(10));
  status.show("asking for the price");
  const { body, quote } = await quoteOf(winnow, task, hasSpeech);
  status.show(`quoted ${quote.price.credits} credits, submitting`);
  const result = await winnow.extract(
    { ...body, force: task.expected.length > 0 },
    {
      onProgress: ({ phase, step, percent, bytes, elapsedMs }) => {
        const live = [
          percent === null ? "" : `${Math.round(percent)} %`,
          bytes === 0 ? "" : sizeOf(bytes),
          `${(elapsedMs / 1_000).toFixed(1)} s`
        ];
        const text = `quoted ${quote.price.credits} credits, ${step ?? phase}`;
        status.show(text, ` ${live.filter((part) => part !== "").join("  ")}`);
      }
    }
  );
  const folder = path.join(FOLDER, "files", task.name);
  await mkdir(folder, { recursive: true });
  const files: Array<Saved> = [];
  for (const name of result.summary.files) {
    status.show("downloading", ` ${name}`);
    files.push(await download(winnow, result.id, name, folder));
  }
  const { creditsDebited, creditsRefunded } = await winnow.extractions.get(result.id);
  const missing = task.expected.filter((name) => !result.summary.files.includes(name));
  status.done(`complete, ${files.length} artifacts`);
  return { task, quote, result, creditsDebited, creditsRefunded, folder, files, missing };
};

const kindOf = ({ quote, result }: Report): string => {
  if (quote.imageCount > 0) return "photos";
  return result.summary.duration === null && result.summary.videoFile === null ? "webpage" : "video";
};

const showExtraction = (
  { outcome, verdictReason, extraction, evidence }: CompleteResult,
  by: string
): void => {
  console.log(`  read by ${by}`);
  console.log(printable(`    outcome: ${[outcome, verdictReason].filter(Boolean).join(", ")}`));
  for (const [name, value] of Object.entries(extraction ?? {})) {
    const quote = evidence?.[`/${name}`]?.[0]?.quote;
    const because = quote === undefined ? "" : `  because: ${quote}`;
    console.log(printable(`    ${name}: ${JSON.stringify(value)}${because}`));
  }
};

/** The priced parts that the source does not have, such as "no comments". */
const refundReason = ({ creditsRefunded, quote, result }: Report): string =>
  creditsRefunded === 0
    ? ""
    : MODALITIES.filter(
        (part) => quote.price.downloadBreakdown[part] !== undefined && result.parts[part] === "not_found"
      )
        .map((part) => `no ${part}`)
        .join(", ");

const show = (reports: ReadonlyArray<Report>, readBy: string): void => {
  const rows = reports.map((report) => [
    kindOf(report),
    printable(report.result.summary.title ?? "–"),
    durationOf(report.result.summary.durationSeconds ?? report.result.summary.duration),
    String(report.quote.price.credits),
    String(report.creditsDebited),
    String(report.creditsRefunded),
    refundReason(report)
  ]);
  const head = ["kind", "title", "duration", "quoted", "debited", "refunded", "because"];
  console.log(`\n${table(head, rows, new Set([2, 3, 4, 5]))}\n`);
  for (const { task, folder, files, missing, result } of reports) {
    console.log(`${task.name}: ${path.relative(process.cwd(), folder)}${path.sep}`);
    const faults = files.map(({ name, sizeBytes, fault }) => [`  ${name}`, sizeOf(sizeBytes), fault ?? "ok"]);
    const absent = missing.map((name) => [`  ${name}`, "–", "is missing"]);
    console.log(table(["  artifact", "size", "check"], [...faults, ...absent], new Set([1])));
    if (task.schema !== undefined) showExtraction(result, readBy);
    for (const warning of result.warnings ?? []) console.log(`  note: ${printable(warning)}`);
    console.log("");
  }
};

/** Exits, which also stops the server, when the demo is stopped or its terminal is closed. */
const exitOnSignals = (): void => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
};

const main = async (urls: ReadonlyArray<string>): Promise<boolean> => {
  exitOnSignals();
  await mkdir(FOLDER, { recursive: true });
  console.log("Starting the sample site and the server …");
  await using site = await startSite(path.join(FOLDER, "media"));
  await using model = await openModel();
  const speech = findSpeech();
  await using server = await startServer(path.join(FOLDER, "data"), site.host, {
    ...model.env,
    ...speech.env
  });
  const account = await createAccount(server, CREDITS);
  const winnow = new Winnow({ apiKey: account.apiKey, baseUrl: server.url });
  const tasks =
    urls.length === 0
      ? sampleTasks(site.url)
      : urls.map((url, index): Task => ({ name: `url-${index + 1}`, url, expected: [] }));
  const reports: Array<Report> = [];
  for (const task of tasks) reports.push(await extract(winnow, task, speech.isThere));
  await rememberAccount(FOLDER, account);
  show(reports, model.words);
  if (speech.words !== null) console.log(speech.words);
  return reports.every(
    ({ task, files, missing, result }) =>
      missing.length === 0 &&
      files.every(({ fault }) => fault === null) &&
      (task.schema === undefined || result.outcome === "ok")
  );
};

const LOOK = "\nLook at these runs in the web app: npm run demo -- --look";

const USAGE = `Usage: npm run demo               quote, submit, wait and download, on a sample site of this machine
       npm run demo -- URL ...    the same for your own URLs
       npm run demo -- --look     the runs of the last demo in the web app, until Ctrl+C`;

/** Its message says what is wrong with the arguments. */
class UsageError extends Error {}

const isHttpUrl = (text: string): boolean => /^https?:$/u.test(URL.parse(text)?.protocol ?? "");

const readArguments = (args: ReadonlyArray<string>) => {
  const options = { look: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** Returns whether everything succeeded. */
const demo = async (args: ReadonlyArray<string>): Promise<boolean> => {
  const { values, positionals } = readArguments(args);
  if (values.help === true) {
    console.log(USAGE);
    return true;
  }
  const wrong = positionals.find((text) => !isHttpUrl(text));
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is not an http or https URL.`);
  if (values.look === true) {
    if (positionals.length > 0) throw new UsageError("--look takes no URL.");
    await look(FOLDER);
    return true;
  }
  const whole = await main(positionals);
  console.log(
    whole ? "Every artifact is there and of its type." : "Some artifacts are missing or wrong, see above."
  );
  console.log(LOOK);
  return whole;
};

try {
  process.exitCode = (await demo(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = error instanceof UsageError;
  console.error(isUsage ? `${message}\n\n${USAGE}` : `\nThe demo failed: ${message}`);
  process.exitCode = isUsage ? 2 : 1;
}
