/** `winnow list`, `show` and `cancel`: the extractions of an account on a server. Tests: accountCommands.test.ts. */
import { text as textOf } from "node:stream/consumers";
import { Outcome } from "@winnow/core/domain/evidence/Verdict";
import { ExtractionStatus, isTerminal } from "@winnow/core/domain/run/Transition";
import { SourceKind } from "@winnow/core/domain/source/SourceFacts";
import type { Extraction, TerminalResult, Winnow } from "@winnow/client";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import { STANDARD_INPUT, unusable } from "../Inputs.ts";
import { callOwn, firstOf, ownAccount } from "../clients.ts";
import { asJson, choice, given, limitedTo, text, toggle } from "../flags.ts";
import { creditsText, printResult, printTable, timeText, type Cells } from "../Output.ts";
import { extractionText, stateWord } from "./resultText.ts";

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

/** As many as fit on a screen. */
const LISTED_DEFAULT = 20;

const FILTERS = {
  status: choice("status", ExtractionStatus.literals, "Only this status"),
  outcome: choice("outcome", Outcome.literals, "Only this outcome"),
  kind: choice("kind", SourceKind.literals, "Only this kind"),
  schemaId: text("schema", "Only with this saved or predefined schema (id)"),
  apiKeyId: text("key", "Only submitted with this API key (id)"),
  batchId: text("batch", "Only items of this batch (id)"),
  since: text("since", "Only submitted at this date and time or later, such as 2026-11-25T08:00:00Z"),
  until: text("until", "Only submitted before this date and time"),
  q: text("find", "Only with this text in title or URL")
};

const listFlags = {
  ...ownAccount,
  ...FILTERS,
  limit: limitedTo(LISTED_DEFAULT, "Maximum number"),
  ids: toggle("ids", "Print only ids, one a line, for: winnow cancel -"),
  json: asJson
};

const cellsOf = (item: Extraction): Cells => ({
  id: item.id,
  status: stateWord(item.outcome ?? item.status),
  submitted: timeText(item.createdAt),
  credits: item.creditsDebited - item.creditsRefunded,
  title: item.title ?? item.url
});

export const list = Command.make(
  "list",
  listFlags,
  Effect.fnUntraced(function* ({ ids, json, limit, url, apiKey, ...wanted }) {
    const found = yield* callOwn({ url, apiKey }, (winnow, signal) =>
      firstOf((page) => winnow.extractions.list({ ...given(wanted), ...page, signal }), limit)
    );
    if (!ids || json) return yield* printTable(json, found, cellsOf);
    if (found.length > 0) yield* Console.log(found.map(({ id }) => id).join("\n"));
  })
).pipe(
  Command.withDescription("List the newest extractions of your account"),
  Command.withExamples([
    { command: "winnow list --status failed --since 2026-11-25T00:00:00Z", description: "What failed today" },
    { command: "winnow list --status queued --ids | winnow cancel -", description: "Cancel what waits" }
  ])
);

/** Calls for one id after the other, and prints what each gives. */
const eachId = <const Name extends string, Answer>(
  name: Name,
  about: string,
  call: (winnow: Winnow, id: string, signal: AbortSignal) => Promise<Answer>,
  wordsOf: (answer: Answer) => string
) =>
  Command.make(
    name,
    { ...ownAccount, ids: idsArgument, json: asJson },
    Effect.fnUntraced(function* ({ ids: given, json, ...from }) {
      const ids = yield* readIds(given);
      for (const id of ids) {
        const answer = yield* callOwn(from, (winnow, signal) => call(winnow, id, signal));
        yield* printResult(json, answer, wordsOf(answer), ids.length);
      }
    })
  ).pipe(Command.withDescription(about));

export const show = eachId(
  "show",
  "Show extractions of your account: status, price, values and files",
  async (winnow, id, signal) => {
    const detail = await winnow.extractions.get(id, { signal });
    const result = isTerminal(detail.status) ? await winnow.extractions.result(id, { signal }) : null;
    return { ...detail, result: result as TerminalResult | null };
  },
  (shown) => extractionText(shown, shown.result)
);

export const cancel = eachId(
  "cancel",
  "Cancel extractions of your account that have not ended; they are refunded in full",
  (winnow, id, signal) => winnow.extractions.cancel(id, { signal }),
  ({ id, status, error, creditsRefunded }) =>
    status === "complete"
      ? `${id} was complete before; nothing is refunded.`
      : `${id} ${status}: ${error ?? ""} ${creditsText(creditsRefunded)} refunded.`
);
