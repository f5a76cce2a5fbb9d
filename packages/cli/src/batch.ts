/** `winnow batch`: quotes the links of a file, asks, creates one batch of an account and follows it to its end. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline/promises";
import type { Batch, BatchQuoteLine, BatchQuoteTotal, BatchSubmission } from "@winnow/client";
import { allLinks, readLinks, UnusableLinks, type Link } from "@winnow/client/links";
import { HOUR_MS } from "@winnow/core/domain/Durations";
import { BATCH_BODY_BYTES_MAX, BATCH_ITEMS_MAX, LISTED_ITEMS_MAX } from "@winnow/core/domain/run/Batch";
import { isTerminal } from "@winnow/core/domain/run/Transition";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { jsonText } from "@winnow/server/TerminalText";
import { callOwn, FOLLOW_RETRIES_MAX, owner, POLL_INTERVAL_MS } from "./clients.ts";
import type { Target } from "./connection/Connection.ts";
import { contentFields, contentFlags, readingFlags, withRangeFlags } from "./extractions/submissionFields.ts";
import { argument, given, toggle, whole } from "./flags.ts";
import { CliFailed, STANDARD_INPUT, unusable } from "./Inputs.ts";
import { say } from "./Output.ts";
import { WINNOW } from "@winnow/server/programName";

const batchFlags = {
  ...owner,
  file: argument(
    "file",
    "Links, one a line, or a CSV with a column `url`; - reads standard input. Or one URL; or the id of a batch, to follow it"
  ),
  first: whole(
    "first",
    `The links are channels or playlists: extract the first of what each lists, this many (1 to ${LISTED_ITEMS_MAX})`
  ).pipe(
    Flag.filter(
      (count) => Option.isNone(count) || (count.value >= 1 && count.value <= LISTED_ITEMS_MAX),
      () => `a number from 1 to ${LISTED_ITEMS_MAX}`
    )
  ),
  ...contentFlags,
  ...readingFlags,
  budget: whole("budget", "Maximum credits; a batch that costs more is not created"),
  yes: toggle("yes", "Do not ask before the debit"),
  json: toggle("json", "Print JSON lines")
};

type BatchInput = Command.Command.Config.Infer<typeof batchFlags>;

const isUrl = (file: string): boolean => /^https?:\/\//iu.test(file);

const streamOf = (file: string) => (file === STANDARD_INPUT ? process.stdin : createReadStream(file));

/** Also what is no link: the service says why it refuses it. */
const linksOf = Effect.fnUntraced(function* (file: string) {
  if (isUrl(file)) return [{ url: file, line: 1 }];
  const name = file === STANDARD_INPUT ? "Standard input" : file;
  const links = yield* Effect.tryPromise({
    try: () => readLinks(streamOf(file), { name: file, maxLinks: BATCH_ITEMS_MAX }),
    catch: (cause) =>
      unusable(
        cause instanceof UnusableLinks
          ? `${name}: ${cause.message}`
          : `${name} cannot be read; check that it is a file.`
      )
  });
  const all = allLinks(links);
  return all.length === 0 ? yield* unusable(`${name} has no links: write one a line.`) : all;
});

interface Order {
  readonly items: ReadonlyArray<BatchItemBody>;
  readonly maxCredits: number | undefined;
}

type BatchItemBody = BatchSubmission["items"] extends Iterable<infer Item> ? Item : never;

const orderOf = Effect.fnUntraced(function* (input: BatchInput, links: ReadonlyArray<Link>) {
  const { captions, evidence, language, prompt, speech } = input;
  const reading = given({ captions, evidence, language, prompt, speech });
  const fields = { ...(yield* contentFields(input)), ...reading };
  const placeOf = ({ url }: Link) =>
    Option.match(input.first, { onNone: () => ({ url }), onSome: (first) => ({ listingUrl: url, first }) });
  const items = links.map((link) => ({ ...fields, ...placeOf(link) }) as BatchItemBody);
  const order: Order = { items, maxCredits: Option.getOrUndefined(input.budget) };
  return Buffer.byteLength(JSON.stringify(order)) > BATCH_BODY_BYTES_MAX
    ? yield* unusable(
        `The schema is too large for so many links: save it (${WINNOW} schema save) and pass its id.`
      )
    : order;
});

/** The same for the same items within an hour of the clock, so that a repeat is not charged again. */
const keyOf = ({ items }: Order): string => {
  const digest = createHash("sha256").update(JSON.stringify(items)).digest("hex");
  return `cli-${digest}-${Math.floor(Date.now() / HOUR_MS)}`;
};

/** One line on standard error that is overwritten; nothing if that is not a terminal. */
const showLine = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
};

interface Quote {
  /** In the order of the file. */
  readonly lines: ReadonlyArray<BatchQuoteLine>;
  readonly total: BatchQuoteTotal;
}

/** How many items there are is known beforehand only without listings. */
const quotedText = (count: number, { items }: Order): string =>
  items.some(({ listingUrl }) => listingUrl !== undefined)
    ? `${count} quoted`
    : `${count} of ${items.length} quoted`;

const quote = (from: Target, order: Order): Effect.Effect<Quote, CliFailed> =>
  callOwn(from, async (winnow, signal) => {
    const lines: Array<BatchQuoteLine> = [];
    let total: BatchQuoteTotal = { credits: 0, usd: 0, accepted: 0, refused: 0 };
    for await (const line of winnow.batches.quote(order, { signal })) {
      if ("index" in line) lines.push(line);
      else total = line;
      showLine(quotedText(lines.length, order));
    }
    return { lines: lines.toSorted((left, right) => left.index - right.index), total };
  }).pipe(Effect.ensuring(Effect.sync(() => showLine(""))));

/** The lines of the file by the index of their item; null if the items are what listings list. */
type LineNumbers = ReadonlyArray<number> | null;

const lineNumbersOf = ({ first }: BatchInput, links: ReadonlyArray<Link>): LineNumbers =>
  Option.isSome(first) ? null : links.map(({ line }) => line);

const refusalText = (
  { index, url, error }: BatchQuoteLine,
  lines: ReadonlyArray<BatchQuoteLine>,
  numbers: LineNumbers
): string => {
  const nameOf = (at: number): string => (numbers === null ? (lines[at]?.url ?? "") : `line ${numbers[at]}`);
  const { index: twin, reason } = error?.details ?? {};
  const isTwin = reason === "duplicate" && typeof twin === "number";
  const why = isTwin ? `The same as ${nameOf(twin)}.` : withRangeFlags(error?.message ?? "");
  return `${numbers === null ? "" : `${nameOf(index)}: `}${url}  ${why}`;
};

/** Of refusals that --first is the answer to. */
const LISTING_REASONS: ReadonlySet<unknown> = new Set(["channel", "playlist", "search", "not_extractable"]);

const tableOf = ({ lines, total }: Quote, numbers: LineNumbers): string => {
  const counts = [
    ["links", lines.length],
    ["accepted", total.accepted],
    ["reused", lines.filter(({ cached }) => cached).length],
    ["refused", total.refused]
  ].map(([name, count]) => `${String(name).padEnd(10)}${String(count).padStart(6)}`);
  const refused = lines
    .filter(({ error }) => error !== null)
    .map((line) => refusalText(line, lines, numbers));
  const isListing = lines.some(({ error }) => LISTING_REASONS.has(error?.details?.["reason"]));
  return [
    ...counts,
    ...refused,
    ...(isListing && numbers !== null
      ? [`What a channel or playlist lists: ${WINNOW} batch URL --first 20`]
      : []),
    `total     ${String(total.credits).padStart(6)} credits ($${total.usd})`
  ].join("\n");
};

const printLines = (lines: ReadonlyArray<object>): Effect.Effect<void> =>
  Effect.forEach(lines, (line) => Console.log(jsonText(line, 0)), { discard: true });

const showQuote = (json: boolean, quoted: Quote, numbers: LineNumbers): Effect.Effect<void> =>
  json
    ? printLines([
        ...quoted.lines.map((line) => ({ type: "quote", line: numbers?.[line.index], ...line })),
        { type: "total", ...quoted.total }
      ])
    : say(tableOf(quoted, numbers), quoted);

/** With standard input as the file, nobody can answer on it. */
const canAsk = ({ file }: BatchInput): boolean =>
  file !== STANDARD_INPUT && process.stdin.isTTY && process.stderr.isTTY;

const isConfirmed = ({ credits }: BatchQuoteTotal): Effect.Effect<boolean> =>
  Effect.promise(async (signal) => {
    // Without `terminal`, Ctrl+C reaches the program.
    const asking = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
    try {
      return /^y(?:es)?$/iu.test(
        (await asking.question(`Debit ${credits} credits? [y/N] `, { signal })).trim()
      );
    } finally {
      asking.close();
    }
  });

const create = (from: Target, order: Order) =>
  callOwn(from, async (winnow, signal) => {
    const call = winnow.batches.create(order, { idempotencyKey: keyOf(order), signal });
    const { data, response } = await call.withResponse();
    return { batch: data, isReplayed: response.headers.get("idempotent-replayed") === "true" };
  }).pipe(
    Effect.onInterrupt(() =>
      Console.error("If the batch was created, the same command within this hour follows it.")
    )
  );

const progressOf = ({ status, counts, creditsDebited, creditsRefunded }: Batch): string =>
  `${counts.complete + counts.failed} of ${counts.accepted} done, ${counts.failed} failed, ` +
  `${creditsDebited - creditsRefunded} credits spent${status === "paused" ? ", paused" : ""}`;

const withoutItems = ({ items: _items, ...batch }: Batch) => batch;

/** What succeeded, and why it is not everything. */
const endText = ({ complete, total, failed, refused }: Batch["counts"]): string => {
  const rest = [
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(refused === 0 ? [] : [`${refused} ${refused === 1 ? "was" : "were"} refused and cost nothing`])
  ];
  return `${complete} of ${total} links are complete${rest.length === 0 ? "" : `; ${rest.join(", ")}`}.`;
};

/** Shows progress until the last item has ended. */
const follow = Effect.fnUntraced(function* (from: Target, id: string, json: boolean) {
  const shown = new Set<number>();
  let isThere = false;
  const look = Effect.gen(function* () {
    const batch = yield* callOwn(from, (winnow, signal) => winnow.batches.get(id, { signal }));
    isThere = true;
    showLine("");
    const ended = batch.items.filter((item) => isTerminal(item.status ?? "") && !shown.has(item.index));
    for (const { index } of ended) shown.add(index);
    if (json) yield* printLines(ended.map((item) => ({ type: "item", ...item })));
    showLine(progressOf(batch));
    return batch;
  });
  const batch = yield* look.pipe(
    Effect.tap(({ completedAt }) => (completedAt === null ? Effect.sleep(POLL_INTERVAL_MS) : Effect.void)),
    Effect.repeat({ until: ({ completedAt }) => completedAt !== null }),
    Effect.ensuring(Effect.sync(() => showLine(""))),
    Effect.onInterrupt(() => Console.error(`The batch goes on; ${WINNOW} batch ${id} shows it.`)),
    Effect.tapError(() =>
      isThere
        ? Console.error(`The batch goes on as far as it can; ${WINNOW} batch ${id} shows it.`)
        : Effect.void
    )
  );
  yield* json
    ? printLines([{ type: "end", ...withoutItems(batch) }])
    : say(`${id}: ${progressOf(batch)}`, batch);
  if (batch.counts.complete < batch.counts.total) return yield* new CliFailed(endText(batch.counts));
});

const runBatch = Effect.fnUntraced(function* (input: BatchInput) {
  const from: Target = { ...input, maxRetries: FOLLOW_RETRIES_MAX };
  if (/^bat_\w+$/u.test(input.file)) return yield* follow(from, input.file, input.json);
  if (!input.yes && Option.isNone(input.budget) && !canAsk(input)) {
    return yield* unusable("Nobody can be asked here: pass --budget CREDITS, or --yes for any price.");
  }
  const links = yield* linksOf(input.file);
  const order = yield* orderOf(input, links);
  const quoted = yield* quote(from, order);
  yield* showQuote(input.json, quoted, lineNumbersOf(input, links));
  const { accepted, credits } = quoted.total;
  if (accepted === 0) return yield* new CliFailed("No link was accepted; nothing was created.");
  if (order.maxCredits !== undefined && credits > order.maxCredits) {
    return yield* new CliFailed(
      `The links cost ${credits} credits, more than --budget ${order.maxCredits}; nothing was created.`
    );
  }
  const isAsked = !input.yes && canAsk(input);
  if (isAsked && !(yield* isConfirmed(quoted.total))) {
    return yield* new CliFailed("Nothing was created.");
  }
  // Prices may have changed since somebody agreed to this one.
  const { maxCredits = isAsked ? credits : undefined } = order;
  const { batch, isReplayed } = yield* create(from, { ...order, maxCredits });
  if (input.json) yield* printLines([{ type: "batch", ...withoutItems(batch) }]);
  else {
    const origin = isReplayed ? "was created by the same command within this hour" : "was created";
    yield* say(`${batch.id} ${origin}: ${batch.creditsDebited} credits debited.`, batch);
  }
  return yield* follow(from, batch.id, input.json);
});

export const batch = Command.make("batch", batchFlags, runBatch).pipe(
  Command.withShortDescription("Extract from a file of links, on an account of a server"),
  Command.withDescription(
    "Extract from a file of links, on an account of a server: quotes every link, asks, and follows the batch to its " +
      "end. The same command within the hour follows the same batch. Exit code 1 if not all links are complete"
  ),
  Command.withExamples([
    { command: "winnow batch links.txt --api-key wnw_...", description: "Shows the price and asks" },
    {
      command: "winnow batch links.csv --schema recipe.json --budget 5000",
      description: "For at most 5,000 credits"
    },
    { command: "winnow batch https://video.example/channel/7 --first 20", description: "Of a channel" }
  ])
);
