/**
 * Endpoints and deliveries in memory, together with MemoryStore's accounts: the reference implementation of the
 * webhook ports.
 */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { isPast, newestFirst } from "../domain/request/Cursor.ts";
import { NotFound } from "../domain/request/Refusal.ts";
import {
  afterAttempt,
  abandoned,
  ENDPOINT_DISABLED,
  ENDPOINT_REMOVED,
  EXTRACTION_DELETED,
  freshSchedule,
  receiverOf,
  type DeliveryAttempt,
  type WebhookDelivery
} from "../domain/webhook/WebhookDelivery.ts";
import * as Endpoint from "../domain/webhook/WebhookEndpoint.ts";
import type { WebhookEndpoint, WebhookTarget } from "../domain/webhook/WebhookEndpoint.ts";
import { WebhookEndpoints, type Registration } from "../ports/WebhookEndpoints.ts";
import { WebhookOutbox, type ClaimQuery, type Redelivery } from "../ports/WebhookOutbox.ts";

interface Row {
  delivery: WebhookDelivery;
  attempts: ReadonlyArray<DeliveryAttempt>;
  claim: number;
  /** When it may be claimed: its next attempt, or the end of a lease. */
  dueAtMs: number;
}

interface State {
  /** In registration order. */
  readonly endpoints: Map<string, WebhookEndpoint>;
  /** Ids of removed endpoints. */
  readonly removed: Set<string>;
  readonly rows: Map<string, Row>;
}

const isPending = ({ delivery }: Row): boolean => delivery.status === "pending";

const rowsOf = (state: State, accountId: string): ReadonlyArray<Row> =>
  [...state.rows.values()].filter(({ delivery }) => delivery.accountId === accountId);

const ofAccount = (state: State, accountId: string): ReadonlyArray<WebhookEndpoint> =>
  [...state.endpoints.values()].filter((endpoint) => endpoint.accountId === accountId);

const ownEndpoint = (state: State, accountId: string, id: string): WebhookEndpoint | undefined => {
  const found = state.endpoints.get(id);
  return found?.accountId === accountId ? found : undefined;
};

const abandon = (state: State, isAffected: (delivery: WebhookDelivery) => boolean, note: string): void => {
  for (const row of state.rows.values()) {
    if (isPending(row) && isAffected(row.delivery)) row.delivery = abandoned(row.delivery, note);
  }
};

const makeEndpoints = (state: State, hasAccount: (accountId: string) => boolean) => {
  const change = (accountId: string, id: string, changes: Partial<WebhookEndpoint>) =>
    Effect.sync(() => {
      const found = ownEndpoint(state, accountId, id);
      if (found === undefined) return Option.none();
      const changed = { ...found, ...changes };
      state.endpoints.set(id, changed);
      return Option.some(changed);
    });

  return WebhookEndpoints.of({
    register: (endpoint, endpointsMax) =>
      Effect.suspend((): Effect.Effect<Registration, NotFound> => {
        if (!hasAccount(endpoint.accountId)) return Effect.fail(NotFound.of("account"));
        if (state.removed.has(endpoint.id)) return Effect.succeed({ _tag: "removed" });
        const others = ofAccount(state, endpoint.accountId);
        const known =
          others.find(({ id }) => id === endpoint.id) ?? others.find(({ url }) => url === endpoint.url);
        if (known !== undefined) return Effect.succeed({ _tag: "known", endpoint: known });
        if (others.length >= endpointsMax) return Effect.succeed({ _tag: "full" });
        state.endpoints.set(endpoint.id, endpoint);
        return Effect.succeed({ _tag: "registered", endpoint });
      }),
    list: (accountId) => Effect.sync(() => ofAccount(state, accountId)),
    get: (accountId, id) => Effect.sync(() => Option.fromUndefinedOr(ownEndpoint(state, accountId, id))),
    setSecrets: (accountId, id, before, { secret, previousSecret }) =>
      Effect.suspend(() =>
        ownEndpoint(state, accountId, id)?.secret === before
          ? change(accountId, id, { secret, previousSecret })
          : Effect.succeedNone
      ),
    enable: (accountId, id) => change(accountId, id, { failingSinceMs: null, disabledAtMs: null }),
    remove: (accountId, id) =>
      Effect.sync(() => {
        if (ownEndpoint(state, accountId, id) === undefined) return false;
        abandon(state, ({ endpointId }) => endpointId === id, ENDPOINT_REMOVED);
        state.removed.add(id);
        return state.endpoints.delete(id);
      })
  });
};

/** Numbers rows within their group, starting after those in flight. */
const turns = (inFlight: ReadonlyArray<string>) => {
  const claimedCounts = new Map<string, number>();
  for (const group of inFlight) claimedCounts.set(group, (claimedCounts.get(group) ?? 0) + 1);
  return (group: string): number => {
    const turn = (claimedCounts.get(group) ?? 0) + 1;
    claimedCounts.set(group, turn);
    return turn;
  };
};

/** The rows that a claim takes, in order of their turns. */
const claimable = (state: State, query: ClaimQuery): ReadonlyArray<Row> => {
  const oldestFirst = [...state.rows.values()]
    .filter((row) => isPending(row) && row.dueAtMs <= query.nowMs)
    .sort((left, right) => left.dueAtMs - right.dueAtMs || (left.delivery.id < right.delivery.id ? -1 : 1));
  const receiverTurn = turns(query.inFlight.map(({ receiver }) => receiver));
  const byReceiver = oldestFirst
    .map((row) => ({ row, turn: receiverTurn(receiverOf(row.delivery)) }))
    .filter(({ turn }) => turn <= query.receiverMax)
    .sort((left, right) => left.turn - right.turn || left.row.dueAtMs - right.row.dueAtMs);
  const accountTurn = turns(query.inFlight.map(({ accountId }) => accountId));
  return byReceiver
    .map(({ row }) => ({ row, turn: accountTurn(row.delivery.accountId) }))
    .filter(({ turn }) => turn <= query.accountMax)
    .sort((left, right) => left.turn - right.turn || left.row.dueAtMs - right.row.dueAtMs)
    .slice(0, query.limit)
    .map(({ row }) => row);
};

const signerOf = (state: State, { accountId, endpointId }: WebhookDelivery): WebhookEndpoint | null =>
  endpointId === null ? (ofAccount(state, accountId)[0] ?? null) : (state.endpoints.get(endpointId) ?? null);

const record = (state: State, row: Row, attempt: DeliveryAttempt, nowMs: number): WebhookDelivery => {
  const delivery = afterAttempt(row.delivery, attempt, nowMs);
  Object.assign(row, {
    delivery,
    attempts: [...row.attempts, attempt],
    claim: row.claim + 1,
    dueAtMs: delivery.nextAttemptAtMs ?? row.dueAtMs
  });
  const endpoint = state.endpoints.get(delivery.endpointId ?? "");
  if (endpoint !== undefined) {
    const { status } = delivery;
    const outcome = { arrived: status === "delivered", ended: status !== "pending", atMs: nowMs };
    const changed = Endpoint.afterOutcome(endpoint, outcome);
    state.endpoints.set(endpoint.id, changed);
    if (changed.disabledAtMs !== null && endpoint.disabledAtMs === null) {
      abandon(state, ({ endpointId }) => endpointId === endpoint.id, ENDPOINT_DISABLED);
    }
  }
  return delivery;
};

const makeClaims = (state: State) => {
  const isClaimHeld = ({
    delivery,
    claim
  }: {
    readonly delivery: WebhookDelivery;
    readonly claim: number;
  }) => {
    const row = state.rows.get(delivery.id);
    return row !== undefined && row.claim === claim && isPending(row) ? row : undefined;
  };
  return {
    claimDue: (query) =>
      Effect.sync(() =>
        claimable(state, query).map((row) => {
          row.claim += 1;
          row.dueAtMs = query.nowMs + query.leaseMs;
          return { delivery: row.delivery, claim: row.claim, signer: signerOf(state, row.delivery) };
        })
      ),
    recordAttempt: (claimed, attempt, nowMs) =>
      Effect.sync(() => {
        const row = isClaimHeld(claimed);
        return row === undefined ? null : record(state, row, attempt, nowMs);
      }),
    release: (claims) =>
      Effect.sync(() => {
        for (const claimed of claims) {
          const row = isClaimHeld(claimed);
          if (row !== undefined) row.dueAtMs = row.delivery.nextAttemptAtMs ?? row.dueAtMs;
        }
      })
  } satisfies Partial<WebhookOutbox["Service"]>;
};

const makeRedeliveries = (state: State) => {
  const isSendable = ({ delivery: { body, endpointId } }: Row): boolean =>
    body !== null && (endpointId === null || state.endpoints.has(endpointId));
  const isDisabled = ({ delivery: { endpointId } }: Row): boolean =>
    (state.endpoints.get(endpointId ?? "")?.disabledAtMs ?? null) !== null;
  const again = (row: Row, nowMs: number): WebhookDelivery => {
    // A delivery in flight keeps its claim, and is due when that ends.
    const isClaimed = isPending(row) && row.dueAtMs !== row.delivery.nextAttemptAtMs;
    row.delivery = { ...row.delivery, ...freshSchedule(nowMs) };
    if (!isClaimed) row.dueAtMs = nowMs;
    return row.delivery;
  };

  return {
    redeliver: (accountId, id, nowMs) =>
      Effect.sync((): Redelivery => {
        const row = state.rows.get(id);
        if (row?.delivery.accountId !== accountId) return { _tag: "gone" };
        if (!isSendable(row)) return { _tag: "unsendable" };
        return isDisabled(row) ? { _tag: "disabled" } : { _tag: "pending", delivery: again(row, nowMs) };
      }),
    redeliverFailed: (accountId, sinceMs, nowMs) =>
      Effect.sync(() => {
        const failed = rowsOf(state, accountId)
          .filter(({ delivery }) => delivery.status === "failed" && delivery.createdAtMs >= sinceMs)
          .filter((row) => isSendable(row) && !isDisabled(row));
        for (const row of failed) again(row, nowMs);
        return failed.length;
      })
  } satisfies Partial<WebhookOutbox["Service"]>;
};

const makeLog = (state: State, insert: (deliveries: ReadonlyArray<WebhookDelivery>) => void) =>
  ({
    insert: (delivery) => Effect.sync(() => insert([delivery])),
    list: (accountId, { after, limit, status }) =>
      Effect.sync(() =>
        rowsOf(state, accountId)
          .map(({ delivery }) => delivery)
          .filter((delivery) => status === null || delivery.status === status)
          .filter(isPast(after))
          .sort(newestFirst)
          .slice(0, limit)
          .map(({ body: _body, ...summary }) => summary)
      ),
    get: (accountId, id) =>
      Effect.sync(() => {
        const row = state.rows.get(id);
        return row?.delivery.accountId === accountId
          ? Option.some({ delivery: row.delivery, attempts: row.attempts })
          : Option.none();
      }),
    removeOld: (createdBeforeMs, limit) =>
      Effect.sync(() => {
        const old = [...state.rows.values()]
          .filter(({ delivery }) => delivery.createdAtMs < createdBeforeMs)
          .slice(0, limit);
        for (const { delivery } of old) state.rows.delete(delivery.id);
        return old.length;
      }),
    depth: (nowMs) =>
      Effect.sync(() => {
        const pending = [...state.rows.values()].filter(isPending);
        const oldestMs = pending.reduce((least, { dueAtMs }) => Math.min(least, dueAtMs), nowMs);
        return { pending: pending.length, oldestDueSeconds: (nowMs - oldestMs) / 1_000 };
      })
  }) satisfies Partial<WebhookOutbox["Service"]>;

/** Fully synchronous, so that a decision is always applied completely between two calls. */
export const makeMemoryWebhooks = (hasAccount: (accountId: string) => boolean) => {
  const state: State = { endpoints: new Map(), removed: new Set(), rows: new Map() };
  const violation = (deliveries: ReadonlyArray<WebhookDelivery>): string | null =>
    deliveries.some(({ id }) => state.rows.has(id)) ? "delivery id already exists" : null;
  const insert = (deliveries: ReadonlyArray<WebhookDelivery>): void => {
    const refused = violation(deliveries);
    if (refused !== null) throw new Error(`MemoryWebhooks: ${refused}`);
    for (const delivery of deliveries) {
      const dueAtMs = delivery.nextAttemptAtMs ?? 0;
      state.rows.set(delivery.id, { delivery, attempts: [], claim: 0, dueAtMs });
    }
  };

  return {
    endpoints: makeEndpoints(state, hasAccount),
    outbox: WebhookOutbox.of({
      ...makeLog(state, insert),
      ...makeClaims(state),
      ...makeRedeliveries(state)
    }),
    violation,
    insert,
    /** The endpoints that a decision sees. */
    targetsOf: (accountId: string): ReadonlyArray<WebhookTarget> =>
      ofAccount(state, accountId)
        .filter(({ disabledAtMs }) => disabledAtMs === null)
        .map(({ id, url }) => ({ id, url })),
    /** Deletes bodies and receivers' responses. */
    forgetExtraction: (extractionId: string): void => {
      abandon(state, (delivery) => delivery.extractionId === extractionId, EXTRACTION_DELETED);
      for (const row of state.rows.values()) {
        if (row.delivery.extractionId !== extractionId) continue;
        row.delivery = { ...row.delivery, body: null };
        row.attempts = row.attempts.map((attempt) => ({ ...attempt, responseSnippet: null }));
      }
    }
  };
};

export type MemoryWebhooks = ReturnType<typeof makeMemoryWebhooks>;
