/**
 * Webhook attempts in flight in this process, and how many more may start: shares by account and receiver of
 * fast and slow permits.
 */
import { shareOf } from "../../domain/run/FairQueue.ts";
import { receiverOf, SLOW_ATTEMPT_MS } from "../../domain/webhook/WebhookDelivery.ts";
import type { ClaimedDelivery, ClaimQuery } from "../../ports/WebhookOutbox.ts";

/** Maximum attempts in their first {@link SLOW_AFTER_MS}, in total and per account. */
export const FAST_MAX = 64;
export const FAST_OF_ACCOUNT_MAX = FAST_MAX / 2;

/** Additional permits for accounts without attempts in flight, so that bursts of others do not block them. */
export const IDLE_ACCOUNTS_MAX = FAST_MAX / 4;

/** A busy dispatcher claims several deliveries with one statement. */
export const CLAIM_BATCH_MIN = FAST_MAX / 4;

/** Maximum attempts that take longer; they mostly wait. */
export const SLOW_MAX = 512;

/** Maximum slow deliveries per claim, since their handshakes take processor time from others. */
export const SLOW_CLAIM_BATCH_MAX = CLAIM_BATCH_MIN / 2;

/**
 * Interval at which freed slow permits are filled. They are freed one by one, and a claim for each would delay
 * other claims. Together with {@link SLOW_CLAIM_BATCH_MAX}, all of {@link SLOW_MAX} can be filled within the time of
 * one attempt.
 */
export const SLOW_POLL_INTERVAL_MS = 50;

/** Interval between the starts of slow attempts that were claimed together, so that handshakes do not come in bursts. */
export const SLOW_START_SPACING_MS = SLOW_POLL_INTERVAL_MS / SLOW_CLAIM_BATCH_MAX;

/** Maximum attempts of one account, slow and fast; there is a slow permit for each of them. */
export const ACCOUNT_MAX = SLOW_MAX / 4;

/** Maximum attempts to one receiver; one to a slow receiver while slow permits are scarce. */
export const RECEIVER_MAX = 4;

/** After this time, an attempt moves to the slow permits if there are some left. */
export const SLOW_AFTER_MS = SLOW_ATTEMPT_MS;

/** The limits of the next claim. */
export type ClaimLimits = Omit<ClaimQuery, "nowMs" | "leaseMs">;

/** An attempt in flight. */
export interface InFlightDelivery {
  readonly accountId: string;
  readonly receiver: string;
  /** Fast attempts can become slow; those that start as slow are to receivers known to be slow. */
  pace: "fast" | "turned slow" | "slow";
}

export interface InFlightDeliveries {
  readonly begin: (claimed: ClaimedDelivery, slow: boolean) => InFlightDelivery;
  /** False if all slow permits are taken. */
  readonly slowDown: (delivering: InFlightDelivery) => boolean;
  readonly end: (delivering: InFlightDelivery) => void;
  /** For receivers not known to be slow. */
  readonly fastLimits: () => ClaimLimits;
  /** The same, limited to one for each account without attempts in flight. */
  readonly idleAccountLimits: () => ClaimLimits;
  readonly slowLimits: () => ClaimLimits;
}

const repeated = <A>(value: A, times: number): ReadonlyArray<A> =>
  Array.from({ length: Math.max(0, times) }, () => value);

const isSlow = ({ pace }: InFlightDelivery): boolean => pace !== "fast";

/** Maximum attempts of one account while this many accounts have some in flight. */
const shareOfAll = (accounts: number): number => Math.min(ACCOUNT_MAX, shareOf(SLOW_MAX, accounts));

/**
 * The accounts of attempts that count as fast. An account's slow attempts are included as far as they would
 * otherwise exceed its total: an account may have `spare` more attempts than fast ones.
 */
const busyFast = (
  accounts: ReadonlyMap<string, ReadonlyArray<InFlightDelivery>>,
  spare: number
): ReadonlyArray<string> =>
  [...accounts].flatMap(([accountId, own]) => {
    const slow = own.filter(isSlow).length;
    return repeated(accountId, Math.max(own.length - slow, slow === 0 ? 0 : own.length - spare));
  });

export const makeInFlightDeliveries = (): InFlightDeliveries => {
  const inFlight = new Set<InFlightDelivery>();
  const countSlow = (): number => [...inFlight].filter(isSlow).length;
  const countFast = (): number => inFlight.size - countSlow();
  const accountsOf = (): ReadonlyArray<string> => [...inFlight].map(({ accountId }) => accountId);

  // A receiver that unexpectedly became slow gets no further delivery until that attempt ends.
  const busyReceivers = (): ReadonlyArray<string> =>
    [...inFlight].flatMap(({ receiver, pace }) =>
      repeated(receiver, pace === "turned slow" ? RECEIVER_MAX : 1)
    );

  const fastLimits = (): ClaimLimits => {
    const accounts = Map.groupBy(inFlight, ({ accountId }) => accountId);
    const inFast = [...accounts.values()].filter((own) => !own.every(isSlow)).length;
    const all = shareOfAll(accounts.size);
    const fast = Math.min(FAST_OF_ACCOUNT_MAX, shareOf(FAST_MAX, inFast));
    return {
      slow: false,
      limit: FAST_MAX - countFast(),
      busyReceivers: busyReceivers(),
      receiverMax: RECEIVER_MAX,
      busyAccounts: busyFast(accounts, all - fast),
      accountMax: fast
    };
  };

  return {
    begin: ({ delivery }, slow) => {
      const receiver = receiverOf(delivery);
      const delivering: InFlightDelivery = {
        accountId: delivery.accountId,
        receiver,
        pace: slow ? "slow" : "fast"
      };
      inFlight.add(delivering);
      return delivering;
    },
    slowDown: (delivering) => {
      const hasPermit = countSlow() < SLOW_MAX;
      if (hasPermit) delivering.pace = "turned slow";
      return hasPermit;
    },
    end: (delivering) => void inFlight.delete(delivering),
    fastLimits,
    idleAccountLimits: () => ({
      ...fastLimits(),
      limit: FAST_MAX + IDLE_ACCOUNTS_MAX - countFast(),
      busyAccounts: accountsOf(),
      accountMax: 1
    }),
    slowLimits: () => {
      const slowCount = countSlow();
      return {
        slow: true,
        limit: Math.min(SLOW_CLAIM_BATCH_MAX, SLOW_MAX - slowCount),
        busyReceivers: busyReceivers(),
        receiverMax: slowCount < SLOW_MAX / 2 ? RECEIVER_MAX : 1,
        busyAccounts: accountsOf(),
        accountMax: shareOfAll(new Set(accountsOf()).size)
      };
    }
  };
};
