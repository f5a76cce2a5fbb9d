/**
 * Webhook attempts in flight in this process, and how many more may start: shares by account and receiver of
 * fast and slow permits.
 */
import { shareOf } from "../domain/FairLine.ts";
import { receiverOf, SLOW_ATTEMPT_MS } from "../domain/WebhookDelivery.ts";
import type { ClaimedDelivery, ClaimQuery } from "../ports/WebhookOutbox.ts";

/** Maximum attempts in their first {@link SLOW_AFTER_MS}, in total and per account. */
export const FAST_MAX = 64;
export const FAST_OF_ACCOUNT_MAX = FAST_MAX / 2;

/** Additional permits for accounts without attempts in flight, so that bursts of others do not block them. */
export const NEWCOMERS_MAX = FAST_MAX / 4;

/** A busy dispatcher claims several deliveries with one statement. */
export const CLAIMED_MIN = FAST_MAX / 4;

/** Maximum attempts that take longer; they mostly wait. */
export const SLOW_MAX = 512;

/** Maximum slow deliveries per claim, since their handshakes take processor time from others. */
export const SLOW_CLAIMED_MAX = CLAIMED_MIN / 2;

/**
 * How often slow places are filled again: what frees them comes one by one, and a look for each would keep the
 * others' waiting. With {@link SLOW_CLAIMED_MAX} enough for all of {@link SLOW_MAX} to come again within an attempt.
 */
export const SLOW_LOOK_EVERY_MS = 50;

/** Maximum attempts of one account, slow and fast; there is a slow permit for each of them. */
export const ACCOUNT_MAX = SLOW_MAX / 4;

/** Maximum attempts to one receiver; one to a slow receiver while slow permits are scarce. */
export const RECEIVER_MAX = 4;

/** After this time, an attempt moves to the slow permits if there are some left. */
export const SLOW_AFTER_MS = SLOW_ATTEMPT_MS;

/** The limits of the next claim. */
export type Room = Omit<ClaimQuery, "nowMs" | "leaseMs">;

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
  readonly fastRoom: () => Room;
  /** The same, but one for each account without attempts in flight. */
  readonly newcomersRoom: () => Room;
  readonly slowRoom: () => Room;
}

const repeated = <A>(value: A, times: number): ReadonlyArray<A> =>
  Array.from({ length: Math.max(0, times) }, () => value);

const isSlow = ({ pace }: InFlightDelivery): boolean => pace !== "fast";

/** Maximum attempts of one account while this many accounts have some in flight. */
const shareOfAll = (accounts: number): number => Math.min(ACCOUNT_MAX, shareOf(SLOW_MAX, accounts));

/**
 * The account of each attempt that counts as a fast one. Slow ones of an account count among them as far as
 * they would leave these no place: all that it may have, fast and slow, is `spare` more than fast ones.
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

  // A receiver that keeps one waiting unexpectedly gets no other until it is known what that comes to.
  const busyReceivers = (): ReadonlyArray<string> =>
    [...inFlight].flatMap(({ receiver, pace }) =>
      repeated(receiver, pace === "turned slow" ? RECEIVER_MAX : 1)
    );

  const fastRoom = (): Room => {
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
      const hasRoom = countSlow() < SLOW_MAX;
      if (hasRoom) delivering.pace = "turned slow";
      return hasRoom;
    },
    end: (delivering) => void inFlight.delete(delivering),
    fastRoom,
    newcomersRoom: () => ({
      ...fastRoom(),
      limit: FAST_MAX + NEWCOMERS_MAX - countFast(),
      busyAccounts: accountsOf(),
      accountMax: 1
    }),
    slowRoom: () => {
      const slowCount = countSlow();
      return {
        slow: true,
        limit: Math.min(SLOW_CLAIMED_MAX, SLOW_MAX - slowCount),
        busyReceivers: busyReceivers(),
        receiverMax: slowCount < SLOW_MAX / 2 ? RECEIVER_MAX : 1,
        busyAccounts: accountsOf(),
        accountMax: shareOfAll(new Set(accountsOf()).size)
      };
    }
  };
};
