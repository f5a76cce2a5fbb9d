/**
 * `winnow webhook listen`: forwards the events of a running server to a local program, signed. It asks the server's
 * lists again and again, which needs no registered receiver, and the server never connects to this machine.
 */
import { randomBytes } from "node:crypto";
import { NotFoundError, type Extraction, type WebhookDelivery, type Winnow } from "@winnow/client";
import { DAY_MS } from "@winnow/core/domain/Durations";
import { isTerminal } from "@winnow/core/domain/run/Transition";
import { testDelivery } from "@winnow/core/domain/result/Announcement";
import { derivedId } from "@winnow/core/domain/request/Idempotency";
import { deliveryHeaders } from "@winnow/core/domain/webhook/Signature";
import type { WebhookEventName } from "@winnow/core/domain/webhook/WebhookDelivery";
import { secretFrom, SECRET_RANDOM_BYTES } from "@winnow/core/domain/webhook/WebhookEndpoint";
import * as Command from "effect/cli/Command";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import { jsonText } from "@winnow/server/TerminalText";
import { callOwn, firstOf, owner, POLL_INTERVAL_MS } from "./clients.ts";
import type { Target } from "./connection/Connection.ts";
import { secretText, text, toggle } from "./flags.ts";
import { CliFailed } from "./Inputs.ts";

/** Lists of many extractions may exceed the rate limit. */
const RETRIES_MAX = 2;

/** Commits are not ordered by time: an extraction this much older may still appear. */
const OVERLAP_MS = 60_000;

/** An extraction may have been submitted this long before it ends. */
const WAITS_MAX_MS = DAY_MS;

/** Newest deliveries among which tests are found, which are sent now and then. */
const DELIVERIES_SEARCHED = 50;

/** Time limit of a real delivery. */
const FORWARD_TIMEOUT_MS = 10_000;

interface EndedEvent {
  /** The same whenever this event is seen. */
  readonly id: string;
  readonly event: WebhookEventName;
  /** Null for `test`. */
  readonly extractionId: string | null;
  /** When the extraction ended or the test was sent. */
  readonly at: string;
  /** As endpoints receive it; null if the extraction was deleted since. */
  readonly readBody: (winnow: Winnow, signal: AbortSignal) => Promise<string | null>;
}

const endOf = ({ id, status, completedAt, createdAt }: Extraction): EndedEvent => {
  const event = status === "complete" ? "extraction.completed" : "extraction.failed";
  return {
    id: derivedId("whd", id, "terminal"),
    event,
    extractionId: id,
    at: completedAt ?? createdAt,
    readBody: (winnow, signal) =>
      winnow.extractions.result(id, { signal }).then(
        (data) => JSON.stringify({ event, data }),
        (error: unknown) => (error instanceof NotFoundError ? null : Promise.reject(error as Error))
      )
  };
};

const testOf = ({ id, endpointId, url, createdAt }: WebhookDelivery): EndedEvent => {
  const endpoint = { id: endpointId ?? "", accountId: "", url };
  const { body, event } = testDelivery(id, endpoint, Date.parse(createdAt) || 0);
  return { id, event, extractionId: null, at: createdAt, readBody: () => Promise.resolve(body) };
};

/** Events of extractions that were submitted since and of tests, oldest first; and from when to look again. */
const look = async (winnow: Winnow, fromMs: number, signal: AbortSignal) => {
  const since = new Date(fromMs);
  const items = await firstOf((page) => winnow.extractions.list({ since, ...page, signal }));
  const { data } = await winnow.webhookDeliveries.page({ limit: DELIVERIES_SEARCHED, signal });
  const events = [
    ...items.filter(({ status }) => isTerminal(status)).map(endOf),
    ...data.filter(({ event }) => event === "test").map(testOf)
  ].toSorted((left, right) => left.at.localeCompare(right.at));
  // Newest first: the oldest that has not ended has to be seen again.
  const again = items.findLast((item) => !isTerminal(item.status)) ?? items[0];
  const againMs = again === undefined ? fromMs : Date.parse(again.createdAt) - OVERLAP_MS;
  return { events, nextMs: Math.max(fromMs, againMs || 0) };
};

/** Text with status and duration, or why there was no response. */
const forward = async (
  url: string,
  secret: string,
  { id, event }: EndedEvent,
  text: string
): Promise<string> => {
  const startedAtMs = Date.now();
  const body = new TextEncoder().encode(text);
  const timestampSeconds = Math.floor(startedAtMs / 1_000);
  const headers = deliveryHeaders({ deliveryId: id, event, body, secrets: [secret], timestampSeconds });
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS)
    });
    await response.arrayBuffer();
    return `${response.status} in ${Date.now() - startedAtMs} ms`;
  } catch (error) {
    if ((error as Error).name === "TimeoutError") return `no response within ${FORWARD_TIMEOUT_MS} ms`;
    return "connection failed; check that your program listens there";
  }
};

interface Listening {
  readonly from: Target;
  readonly forwardTo: string | null;
  readonly secret: string;
  readonly json: boolean;
}

const show = Effect.fnUntraced(function* ({ from, forwardTo, secret, json }: Listening, ended: EndedEvent) {
  const { id, event, extractionId, at, readBody } = ended;
  const body = json || forwardTo !== null ? yield* callOwn(from, readBody) : "";
  if (body === null) return;
  const forwarded =
    forwardTo === null ? null : yield* Effect.promise(() => forward(forwardTo, secret, ended, body));
  if (json) return yield* Console.log(jsonText({ id, event, extractionId, at, body, forwarded }, 0));
  const line = `${at}  ${event}  ${extractionId ?? id}`;
  yield* Console.log(forwarded === null ? line : `${line}  -> ${forwarded}`);
});

/**
 * The events that are there now, and an effect that shows each new one once. `sinceMs` null: those of now are not new.
 */
const newEvents = Effect.fnUntraced(function* (listening: Listening, sinceMs: number | null) {
  let fromMs = (sinceMs ?? Date.now()) - WAITS_MAX_MS;
  const lookNow = Effect.suspend(() =>
    callOwn(listening.from, (winnow, signal) => look(winnow, fromMs, signal))
  );
  const first = yield* lookNow;
  if (sinceMs === null) fromMs = first.nextMs;
  // An invalid time counts as new.
  const old = first.events.filter(({ at }) => sinceMs === null || Date.parse(at) < sinceMs);
  let seen = new Set(old.map(({ id }) => id));
  return Effect.gen(function* () {
    const { events, nextMs } = yield* lookNow;
    for (const event of events) {
      if (!seen.has(event.id)) yield* show(listening, event);
      seen.add(event.id);
    }
    seen = new Set(events.map(({ id }) => id));
    fromMs = nextMs;
  });
});

/** Runs until interrupted. Waits for an unavailable server, and reports that once. */
const follow = (showNew: Effect.Effect<void, CliFailed>) => {
  let isAway = false;
  const turn = (away: boolean, words: string) =>
    Effect.suspend(() => {
      const isNews = away !== isAway;
      isAway = away;
      return isNews ? Console.error(words) : Effect.void;
    });
  return showNew.pipe(
    Effect.andThen(turn(false, "The server is back.")),
    Effect.catch(({ message }) => turn(true, `${message} Waiting for the server.`)),
    Effect.andThen(Effect.sleep(POLL_INTERVAL_MS)),
    Effect.forever
  );
};

const readUrl = (url: string | null): Effect.Effect<string | null, CliFailed> => {
  if (url === null || (/^https?:\/\/[^/]/iu.test(url) && URL.canParse(url))) return Effect.succeed(url);
  return new CliFailed("--forward-to must be a URL such as http://localhost:3000/hook.");
};

const readTime = (text: string | null): Effect.Effect<number | null, CliFailed> => {
  const unixMs = text === null ? null : Date.parse(text);
  return Number.isNaN(unixMs)
    ? new CliFailed("--since must be a date and time such as 2026-11-21T08:00:00Z.")
    : Effect.succeed(unixMs);
};

export const listen = Command.make(
  "listen",
  {
    ...owner,
    forwardTo: text("forward-to", "URL that your program listens on, such as http://localhost:3000/hook"),
    secret: secretText("secret", "Secret to sign with; by default a new one, which is printed"),
    since: text("since", "Start with runs that ended at this date and time; by default now"),
    json: toggle("json", "Print one line of JSON per event, including its body")
  },
  Effect.fnUntraced(function* ({ forwardTo, secret, since, json, ...from }) {
    const listening: Listening = {
      from: { ...from, maxRetries: RETRIES_MAX },
      forwardTo: yield* readUrl(Option.getOrNull(forwardTo)),
      secret: Option.match(secret, {
        onNone: () => secretFrom(randomBytes(SECRET_RANDOM_BYTES)),
        onSome: Redacted.value
      }),
      json
    };
    const sinceMs = yield* readTime(Option.getOrNull(since));
    const showNew = yield* newEvents(listening, sinceMs);
    if (listening.forwardTo !== null && Option.isNone(secret)) {
      yield* Console.error(`Signing with ${listening.secret}`);
    }
    const whose = Option.getOrElse(from.id, () => "your account");
    const start = new Date(sinceMs ?? Date.now()).toISOString();
    yield* Console.error(`Listening for events of ${whose} since ${start}. Press Ctrl+C to stop.`);
    return yield* follow(showNew);
  })
).pipe(
  Command.withDescription("Print the events of an account as they happen, and forward them to your program"),
  Command.withExamples([
    {
      command: "winnow webhook listen acc_1 --forward-to http://localhost:3000/hook",
      description: "Signed like real events, with a secret that is printed at the start"
    },
    {
      command: "winnow webhook listen --url https://winnow.example --api-key wnw_... ",
      description: "With only an API key"
    }
  ])
);
