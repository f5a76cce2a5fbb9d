/**
 * The events of an account as receivers get them, whether or not it has registered any, and its tests: for a
 * developer who watches from a terminal. It reads what happened and sends nothing.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type { WebhookEventName } from "../domain/WebhookDelivery.ts";
import { endDeliveries } from "../domain/WebhookEvent.ts";
import type { Extraction } from "../domain/Extraction.ts";
import { Store } from "../ports/Store.ts";
import { WebhookOutbox } from "../ports/WebhookOutbox.ts";
import { EngineSettings } from "./EngineSettings.ts";

/** Events of one answer: each holds a whole result. */
const EVENTS_MAX = 100;

/** Newest deliveries among which tests are looked for: whoever sends one looks soon. */
const TESTS_AMONG = 50;

/** Stands for the terminal where a delivery names its receiver. */
const TERMINAL = { id: "terminal", url: "terminal:" };

export interface EndedEvent {
  /** Of the extraction and the terminal, or of a test's delivery: the same each time. */
  readonly id: string;
  readonly event: WebhookEventName;
  /** Null for `test`. */
  readonly extractionId: string | null;
  /** When the extraction ended, or the test was sent. */
  readonly atMs: number;
  /** JSON text of `{event, data}`. */
  readonly body: string;
}

export interface EventPage {
  /** Oldest first. */
  readonly events: ReadonlyArray<EndedEvent>;
  readonly hasMore: boolean;
  readonly nowMs: number;
}

export class WebhookEvents extends Context.Service<
  WebhookEvents,
  {
    /**
     * Those of extractions that were over at or after the time, and tests since. Processes commit in an order
     * of their own: whoever follows asks again from a little before, and goes by the ids.
     */
    readonly since: (accountId: string, sinceMs: number) => Effect.Effect<EventPage>;
  }
>()("@winnow/core/engine/WebhookEvents") {}

const eventsOf = (extraction: Extraction, publicUrl: string): ReadonlyArray<EndedEvent> => {
  const ended = { ...extraction, request: { ...extraction.request, webhookUrl: null } };
  const atMs = extraction.completedAtMs ?? extraction.createdAtMs;
  return endDeliveries(ended, [TERMINAL], { publicUrl, nowMs: atMs }).flatMap(({ id, event, body }) =>
    body === null ? [] : [{ id, event, extractionId: extraction.id, atMs, body }]
  );
};

const findTests = Effect.fnUntraced(function* (accountId: string, sinceMs: number) {
  const outbox = yield* WebhookOutbox;
  const newest = yield* outbox.list(accountId, { after: null, limit: TESTS_AMONG, status: null });
  const tests = newest.filter(({ event, createdAtMs }) => event === "test" && createdAtMs >= sinceMs);
  const found = yield* Effect.forEach(tests, ({ id }) => outbox.get(accountId, id));
  return found.flatMap(Option.toArray).flatMap(({ delivery }): ReadonlyArray<EndedEvent> => {
    const { id, event, extractionId, body, createdAtMs } = delivery;
    return body === null ? [] : [{ id, event, extractionId, atMs: createdAtMs, body }];
  });
});

export const layer: Layer.Layer<WebhookEvents, never, Store | WebhookOutbox> = Layer.effect(
  WebhookEvents,
  Effect.gen(function* () {
    const store = yield* Store;
    const outbox = yield* WebhookOutbox;
    const { publicUrl } = yield* EngineSettings;
    return WebhookEvents.of({
      since: Effect.fn("WebhookEvents.since")(function* (accountId, sinceMs) {
        const nowMs = yield* Clock.currentTimeMillis;
        const ended = yield* store.listEnded(accountId, { sinceMs, limit: EVENTS_MAX + 1 });
        const hasMore = ended.length > EVENTS_MAX;
        const ends = ended.slice(0, EVENTS_MAX).flatMap((extraction) => eventsOf(extraction, publicUrl));
        // Whoever follows goes on from the last one: a later test comes with the page that reaches it.
        const lastMs = hasMore ? (ends.at(-1)?.atMs ?? sinceMs) : Number.MAX_SAFE_INTEGER;
        const tests = yield* Effect.provideService(findTests(accountId, sinceMs), WebhookOutbox, outbox);
        const events = [...ends, ...tests.filter(({ atMs }) => atMs <= lastMs)];
        return { events: events.sort((left, right) => left.atMs - right.atMs), hasMore, nowMs };
      })
    });
  })
);
