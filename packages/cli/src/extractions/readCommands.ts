/** `winnow list`, `show` and `cancel`: the extractions of an account on a server. */
import { text as textOf } from "node:stream/consumers";
import { Outcome } from "@winnow/core/domain/evidence/Verdict";
import { ExtractionStatus } from "@winnow/core/domain/run/Transition";
import { SourceKind } from "@winnow/core/domain/source/SourceFacts";
import type { Extraction, ExtractionDetail, TerminalResult } from "@winnow/client";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { jsonText } from "@winnow/server/TerminalText";
import { callOwn, firstOf, ownAccount } from "../clients.ts";
import { asJson, creditsText, printTable, timeText } from "../Output.ts";
import { extractionText } from "./resultText.ts";
import { unusable } from "./submissionFields.ts";

const STANDARD_INPUT = "-";

export const idsArgument = Argument.String("id").pipe(
  Argument.withDescription("Ids of extractions; - reads them from standard input"),
  Argument.variadic({ min: 1 })
);

/** Each id once. */
export const readIds = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
  if (!given.includes(STANDARD_INPUT)) return [...new Set(given)];
  const read = yield* Effect.promise(() => textOf(process.stdin));
  const ids = given.flatMap((id) => (id === STANDARD_INPUT ? read.split(/\s+/u) : [id]));
  const wanted = [...new Set(ids)].filter((id) => id !== "");
  return wanted.length === 0 ? yield* unusable("There is no id on standard input.") : wanted;
});

/** One result is indented; several are JSON lines. */
export const printEach = (json: boolean, count: number, value: unknown, words: string): Effect.Effect<void> =>
  Console.log(json ? jsonText(value, count === 1 ? 2 : 0) : words);

const filter = <const Values extends ReadonlyArray<string>>(name: string, values: Values) =>
  Flag.Literals(name, values).pipe(Flag.withDescription(`Only this ${name}`), Flag.optional);

const textFilter = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional);

/** As many as fit on a screen. */
const LISTED = 20;

const listFlags = {
  ...ownAccount,
  status: filter("status", ExtractionStatus.literals),
  outcome: filter("outcome", Outcome.literals),
  kind: filter("kind", SourceKind.literals),
  schemaId: textFilter("schema", "Only with this saved or predefined schema (id)"),
  apiKeyId: textFilter("key", "Only submitted with this API key (id)"),
  batchId: textFilter("batch", "Only items of this batch (id)"),
  since: textFilter("since", "Only submitted at this date and time or later, such as 2026-11-25T08:00:00Z"),
  until: textFilter("until", "Only submitted before this date and time"),
  q: textFilter("find", "Only with this text in title or URL"),
  limit: Flag.Int("limit").pipe(
    Flag.withDescription(`Maximum number, newest first; ${LISTED} by default`),
    Flag.filter(
      (count) => count > 0,
      () => "Expected a number above 0"
    ),
    Flag.withDefault(LISTED)
  ),
  ids: Flag.Boolean("ids").pipe(
    Flag.withDescription("Print only ids, one a line, for: winnow cancel -"),
    Flag.withDefault(false)
  ),
  json: asJson
};

/** Those of the web app. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  queued: "Queued",
  pending: "Starting",
  running: "Running",
  complete: "Complete",
  ok: "Complete",
  no_match: "No match",
  uncertain: "Uncertain",
  failed: "Failed"
};

const COLUMNS = {
  id: ({ id }: Extraction) => id,
  status: ({ status, outcome }: Extraction) => STATE_WORDS[outcome ?? status] ?? outcome ?? status,
  submitted: ({ createdAt }: Extraction) => timeText(createdAt),
  credits: ({ creditsDebited, creditsRefunded }: Extraction) => creditsDebited - creditsRefunded,
  title: ({ title, url }: Extraction) => title ?? url
};

export const list = Command.make(
  "list",
  listFlags,
  Effect.fnUntraced(function* ({ ids, json, limit, url, apiKey, ...filters }) {
    const wanted = Object.fromEntries(
      Object.entries(filters).map(([name, value]) => [name, Option.getOrUndefined<unknown>(value)])
    );
    const found = yield* callOwn({ url, apiKey }, (winnow, signal) =>
      firstOf((page) => winnow.extractions.list({ ...wanted, ...page, signal }), limit)
    );
    if (!ids || json) return yield* printTable(json, found, COLUMNS);
    if (found.length > 0) yield* Console.log(found.map(({ id }) => id).join("\n"));
  })
).pipe(
  Command.withDescription("List the newest extractions of your account"),
  Command.withExamples([
    { command: "winnow list --status failed --since 2026-11-25T00:00:00Z", description: "What failed today" },
    { command: "winnow list --status queued --ids | winnow cancel -", description: "Cancel what waits" }
  ])
);

const hasEnded = ({ status }: ExtractionDetail): boolean => status === "complete" || status === "failed";

export const show = Command.make(
  "show",
  { ...ownAccount, ids: idsArgument, json: asJson },
  Effect.fnUntraced(function* ({ ids: given, json, ...from }) {
    const ids = yield* readIds(given);
    for (const id of ids) {
      const { detail, result } = yield* callOwn(from, async (winnow, signal) => {
        const found = await winnow.extractions.get(id, { signal });
        const ended = hasEnded(found) ? await winnow.extractions.result(id, { signal }) : null;
        return { detail: found, result: ended as TerminalResult | null };
      });
      yield* printEach(json, ids.length, { ...detail, result }, extractionText(detail, result));
    }
  })
).pipe(Command.withDescription("Show extractions of your account: status, price, values and files"));

const cancelledText = ({ id, status, error, creditsRefunded }: ExtractionDetail): string =>
  status === "complete"
    ? `${id} was complete before; nothing is refunded.`
    : `${id} ${status}: ${error ?? ""} ${creditsText(creditsRefunded)} refunded.`;

export const cancel = Command.make(
  "cancel",
  { ...ownAccount, ids: idsArgument, json: asJson },
  Effect.fnUntraced(function* ({ ids: given, json, ...from }) {
    const ids = yield* readIds(given);
    for (const id of ids) {
      const detail = yield* callOwn(from, (winnow, signal) => winnow.extractions.cancel(id, { signal }));
      yield* printEach(json, ids.length, detail, cancelledText(detail));
    }
  })
).pipe(
  Command.withDescription("Cancel extractions of your account that have not ended; they are refunded in full")
);
