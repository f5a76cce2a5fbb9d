/**
 * `winnow webhook listen`: forwards the events of a running server to a local program, signed. It polls the server,
 * which needs no registered receiver and never connects to this machine.
 */
import { randomBytes } from "node:crypto";
import { deliveryHeaders } from "@winnow/core/domain/webhook/Signature";
import { secretFrom, SECRET_RANDOM_BYTES } from "@winnow/core/domain/webhook/WebhookEndpoint";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import type { EndedEvent } from "../routes/webhooks/WebhookWire.ts";
import { callOwn, owner, type Owner } from "./accountCalls.ts";
import { jsonText } from "../TerminalText.ts";
import { CliFailed } from "./CliFailed.ts";

const POLL_INTERVAL_MS = 1_000;

/** Commits are not ordered by time: an event this much older may still appear. */
const OVERLAP_MS = 60_000;

/** Time limit of a real delivery. */
const FORWARD_TIMEOUT_MS = 10_000;

const MILLISECONDS = 1_000;

/** No event is this late: a request for later ones only returns the server's time. */
const FUTURE = "9999-12-31T23:59:59Z";

interface Page {
  readonly data: ReadonlyArray<EndedEvent>;
  readonly has_more: boolean;
  readonly now: string;
}

const dateTime = (unixMs: number): string => new Date(unixMs).toISOString();

/** Events already seen, and where to continue polling. */
const makeCursor = (startMs: number) => {
  const seen = new Map<string, number>();
  let latestMs = startMs;
  return {
    sinceMs: () => Math.max(startMs, latestMs - OVERLAP_MS),
    /** False if it was already handled. */
    take: ({ id, at }: EndedEvent): boolean => {
      if (seen.has(id)) return false;
      // Without a server time, the position does not advance.
      const parsedMs = Date.parse(at);
      const atMs = Number.isNaN(parsedMs) ? latestMs : parsedMs;
      seen.set(id, atMs);
      latestMs = Math.max(latestMs, atMs);
      return true;
    },
    forgetOld: (): void => {
      for (const [id, atMs] of seen) if (atMs < latestMs - OVERLAP_MS) seen.delete(id);
    }
  };
};

/** Text with status and duration, or why there was no response. */
const forward = async (url: string, secret: string, event: EndedEvent): Promise<string> => {
  const startedAtMs = Date.now();
  const body = new TextEncoder().encode(event.body);
  const timestampSeconds = Math.floor(startedAtMs / MILLISECONDS);
  const headers = deliveryHeaders({
    deliveryId: event.id,
    event: event.event,
    body,
    secrets: [secret],
    timestampSeconds
  });
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
  readonly from: Owner;
  readonly forwardTo: string | null;
  readonly secret: string;
  readonly json: boolean;
}

const ask = ({ from }: Listening, since: string) =>
  callOwn<Page>(from, {
    method: "GET",
    path: `/webhook-events?${new URLSearchParams({ since })}`
  });

const show = Effect.fnUntraced(function* (listening: Listening, event: EndedEvent) {
  const { forwardTo, secret, json } = listening;
  const outcome = forwardTo === null ? null : yield* Effect.promise(() => forward(forwardTo, secret, event));
  if (json) return yield* Console.log(jsonText({ ...event, forwarded: outcome }, 0));
  const line = `${event.at}  ${event.event}  ${event.extractionId ?? event.id}`;
  yield* Console.log(outcome === null ? line : `${line}  -> ${outcome}`);
});

/** All new events, oldest first, on any number of pages. */
const catchUp = Effect.fnUntraced(function* (listening: Listening, cursor: ReturnType<typeof makeCursor>) {
  let sinceMs = cursor.sinceMs();
  for (;;) {
    const page = yield* ask(listening, dateTime(sinceMs));
    for (const event of page.data) if (cursor.take(event)) yield* show(listening, event);
    const lastMs = Date.parse(page.data.at(-1)?.at ?? "");
    if (!page.has_more || Number.isNaN(lastMs)) return cursor.forgetOld();
    sinceMs = Math.max(lastMs, sinceMs + 1);
  }
});

/** Runs until interrupted. Waits for an unavailable server, and reports that once. */
const follow = Effect.fnUntraced(function* (listening: Listening, startMs: number) {
  const cursor = makeCursor(startMs);
  let away = false;
  const back = Effect.suspend(() => {
    const wasDisconnected = away;
    away = false;
    return wasDisconnected ? Console.error("The server is back.") : Effect.void;
  });
  const waiting = ({ message }: CliFailed) =>
    Effect.suspend(() => {
      const isNews = !away;
      away = true;
      return isNews ? Console.error(`${message} Waiting for the server.`) : Effect.void;
    });
  return yield* catchUp(listening, cursor).pipe(
    Effect.andThen(back),
    Effect.catch(waiting),
    Effect.andThen(Effect.sleep(POLL_INTERVAL_MS)),
    Effect.forever
  );
});

const readUrl = (url: string | null): Effect.Effect<string | null, CliFailed> => {
  if (url === null || (/^https?:\/\/[^/]/iu.test(url) && URL.canParse(url))) return Effect.succeed(url);
  return Effect.fail(
    new CliFailed({ message: "--forward-to must be a URL such as http://localhost:3000/hook." })
  );
};

const readTime = (text: string): Effect.Effect<number, CliFailed> => {
  const unixMs = Date.parse(text);
  return Number.isNaN(unixMs)
    ? Effect.fail(new CliFailed({ message: "--since must be a date and time such as 2026-11-21T08:00:00Z." }))
    : Effect.succeed(unixMs);
};

export const listen = Command.make(
  "listen",
  {
    ...owner,
    forwardTo: Flag.String("forward-to").pipe(
      Flag.withDescription("URL that your program listens on, such as http://localhost:3000/hook"),
      Flag.optional
    ),
    secret: Flag.Redacted("secret").pipe(
      Flag.withDescription("Secret to sign with; by default a new one, which is printed"),
      Flag.optional
    ),
    since: Flag.String("since").pipe(
      Flag.withDescription("Start with runs that ended at this date and time; by default now"),
      Flag.optional
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print one line of JSON per event, including its body"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ forwardTo, secret, since, json, ...from }) {
    const listening: Listening = {
      from,
      forwardTo: yield* readUrl(Option.getOrNull(forwardTo)),
      secret: Option.match(secret, {
        onNone: () => secretFrom(randomBytes(SECRET_RANDOM_BYTES)),
        onSome: Redacted.value
      }),
      json
    };
    const { now } = yield* ask(listening, FUTURE);
    const startMs = yield* readTime(Option.getOrElse(since, () => now));
    if (listening.forwardTo !== null && Option.isNone(secret)) {
      yield* Console.error(`Signing with ${listening.secret}`);
    }
    yield* Console.error(
      `Listening for events of ${Option.getOrElse(from.id, () => "your account")} since ${dateTime(startMs)}. Press Ctrl+C to stop.`
    );
    return yield* follow(listening, startMs);
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
