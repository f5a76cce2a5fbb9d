/** `winnow submit` and `wait`: start an extraction on a server, and follow it. Tests: accountCommands.test.ts. */
import { TimeoutError, type CompleteResult, type Submission, type TerminalResult } from "@winnow/client";
import { Policy } from "@winnow/core/domain/request/RunRequest";
import * as Command from "effect/cli/Command";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { callOwn, FOLLOW_RETRIES_MAX, ownAccount } from "../clients.ts";
import type { Target } from "../connection/Connection.ts";
import { argument, asJson, choice, given, text, toggle, whole } from "../flags.ts";
import { CliFailed } from "../Inputs.ts";
import { WINNOW } from "@winnow/server/programName";
import { creditsText, durationText, printResult } from "../Output.ts";
import { openProgress } from "../ProgressLine.ts";
import { idsArgument, readIds } from "./readCommands.ts";
import { failureText, resultText } from "./resultText.ts";
import { contentFields, contentFlags, readingFlags } from "./submissionFields.ts";

const goesOn = (id: string) => Console.error(`The extraction goes on; ${WINNOW} wait ${id} shows it.`);

/** The client counts milliseconds, people who wait do not. */
const withSeconds = (message: string): string =>
  message.replace(/\b(\d+) ms\b/u, (_, ms) => durationText(Number(ms) / 1_000));

/** The result, with the progress on standard error until then. */
const follow = (from: Target, id: string, timeoutMs?: number): Effect.Effect<TerminalResult, CliFailed> =>
  Effect.gen(function* () {
    const line = yield* openProgress;
    const waiting = callOwn({ ...from, maxRetries: FOLLOW_RETRIES_MAX }, async (winnow, signal) =>
      winnow.extractions.wait(id, { signal, timeoutMs, onProgress: line.show }).catch((error: unknown) => {
        const isOver = error instanceof TimeoutError && error.extractionId !== null;
        throw isOver ? new CliFailed(withSeconds(error.message)) : error;
      })
    );
    return yield* Effect.onInterrupt(waiting, () => Effect.andThen(Effect.sync(line.clear), goesOn(id)));
  }).pipe(Effect.scoped);

const complete = (result: TerminalResult): Effect.Effect<CompleteResult, CliFailed> =>
  result.status === "complete"
    ? Effect.succeed(result)
    : new CliFailed(`${result.id} failed: ${failureText(result)}`);

/** JSON has the failed result too. */
const printEnd = Effect.fnUntraced(function* (json: boolean, count: number, result: TerminalResult) {
  if (json) yield* printResult(json, result, "", count);
  const done = yield* complete(result);
  if (!json) yield* printResult(json, done, resultText(done), count);
});

export const wait = Command.make(
  "wait",
  {
    ...ownAccount,
    ids: idsArgument,
    timeout: whole("timeout", "Give up after this many seconds for each; the run goes on"),
    json: asJson
  },
  Effect.fnUntraced(function* ({ ids: given, timeout, json, ...from }) {
    const ids = yield* readIds(given);
    const timeoutMs = Option.getOrUndefined(Option.map(timeout, (seconds) => seconds * 1_000));
    const failures: Array<CliFailed> = [];
    for (const id of ids) {
      const ended = Effect.flatMap(follow(from, id, timeoutMs), (result) =>
        printEnd(json, ids.length, result)
      );
      yield* ended.pipe(Effect.catch((failed) => Effect.sync(() => void failures.push(failed))));
    }
    const [first, ...others] = failures;
    for (const { message } of others) yield* Console.error(message);
    if (first !== undefined) return yield* first;
  })
).pipe(
  Command.withDescription(
    "Wait for extractions of your account and show their results. Ctrl+C leaves them running"
  )
);

const submitFlags = {
  ...ownAccount,
  source: argument(
    "url",
    "Public URL of a video, a photo post or an article; or the id of an extraction to read again with --schema"
  ),
  ...contentFlags,
  ...readingFlags,
  policy: choice("policy", Policy.literals, "How to treat a missing input; `fallback` by default"),
  auto: toggle(
    "auto",
    "With a schema: read text first, sound and pictures only if needed; needs --max-spend-credits"
  ),
  maxSpendCredits: whole("max-spend-credits", "Maximum credits of a run with --auto"),
  maxCredits: whole("max-credits", "A run that costs more is refused"),
  force: toggle("force", "Do not reuse a recent result"),
  maxAgeSeconds: whole("max-age-seconds", "Maximum age of a reused result"),
  webhookUrl: text("webhook-url", "Public https URL that receives the end of this run"),
  idempotencyKey: text("idempotency-key", "A submit with a key that was used before is not repeated"),
  wait: toggle("wait", "Wait for the result; Ctrl+C leaves the run going"),
  json: asJson
};

/** Everything else is a URL. */
const EXTRACTION_ID = /^ext_\w+$/u;

export const submit = Command.make(
  "submit",
  submitFlags,
  Effect.fnUntraced(function* (input) {
    const { url, apiKey, json, source, wait: isWaiting, idempotencyKey, ...fields } = input;
    const { schema, parts, inputs, from, to, ...others } = fields;
    // The service reports what is wrong with it.
    const body = {
      ...(EXTRACTION_ID.test(source) ? { fromExtraction: source } : { url: source }),
      ...(yield* contentFields({ schema, parts, inputs, from, to })),
      ...given(others)
    } as Submission;
    const submitted = yield* callOwn({ url, apiKey }, (winnow, signal) =>
      winnow.submit(body, { ...given({ idempotencyKey }), signal })
    );
    const { id, status, creditsDebited } = submitted;
    const words = `${id} ${status}: ${creditsText(creditsDebited)} debited.`;
    if (!isWaiting)
      return yield* printResult(json, submitted, `${words} ${WINNOW} wait ${id} shows the result.`);
    yield* Console.error(words);
    yield* printEnd(json, 1, yield* follow({ url, apiKey }, id));
  })
).pipe(
  Command.withShortDescription("Start an extraction on your account"),
  Command.withDescription(
    "Start an extraction on your account of a server, which debits its price; `winnow extract` runs one on this machine"
  ),
  Command.withExamples([
    { command: "winnow submit https://example.com/talk --wait", description: "Fetch everything" },
    { command: "winnow submit URL --schema recipe.json --max-credits 300", description: "Extract an object" }
  ])
);
