/**
 * The events of an account as receivers get them, registered or not, plus test events: for developers who watch
 * from a terminal. Read-only.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type { WebhookEventName } from "../../domain/webhook/WebhookDelivery.ts";
import { endDeliveries } from "../../domain/result/WebhookEvent.ts";
import type { Extraction } from "../../domain/run/Extraction.ts";
import { Store } from "../../ports/Store.ts";
import { WebhookOutbox } from "../../ports/WebhookOutbox.ts";
import { EngineSettings } from "../EngineSettings.ts";

/** Maximum events per response, since each contains a whole result. */
const EVENTS_MAX = 100;

/** Newest deliveries searched for test events, which are usually polled for soon after sending. */
const TESTS_AMONG = 50;

/** Receiver name that stands for the terminal. */
const TERMINAL = { id: "terminal", url: "terminal:" };

export interface EndedEvent {
  /** Derived from the extraction and the terminal, or from a test delivery, so that it is stable. */
  readonly id: string;
  readonly event: WebhookEventName;
  /** Null for `test`. */
  readonly extractionId: string | null;
  /** When the extraction ended or the test was sent. */
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
     * Events of extractions that ended at or after a time, and tests since then. Commits are not ordered by time,
     * so followers should query again from slightly earlier and deduplicate by id.
     */
    readonly since: (accountId: string, sinceMs: number) => Effect.Effect<EventPage>;
  }
>()("@winnow/core/engine/webhooks/WebhookEvents") {}

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
        // The follower continues from the last event; later tests are returned with the page that reaches them.
        const lastMs = hasMore ? (ends.at(-1)?.atMs ?? sinceMs) : Number.MAX_SAFE_INTEGER;
        const tests = yield* Effect.provideService(findTests(accountId, sinceMs), WebhookOutbox, outbox);
        const events = [...ends, ...tests.filter(({ atMs }) => atMs <= lastMs)];
        return { events: events.sort((left, right) => left.atMs - right.atMs), hasMore, nowMs };
      })
    });
  })
);
