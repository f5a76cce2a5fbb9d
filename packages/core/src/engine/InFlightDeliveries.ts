/**
 * Attempts at webhooks that are on their way in this process, and how many more there may be: shares by account
 * and by receiver, of fast places and of slow ones.
 */
import { shareOf } from "../domain/FairLine.ts";
import { receiverOf, SLOW_ATTEMPT_MS } from "../domain/WebhookDelivery.ts";
import type { ClaimedDelivery, ClaimQuery } from "../ports/WebhookOutbox.ts";

/** Attempts in their first {@link SLOW_AFTER_MS}, in all and of one account. */
export const FAST_MAX = 64;
export const FAST_OF_ACCOUNT_MAX = FAST_MAX / 2;

/** Beyond these, for accounts that have nothing on its way, whatever bursts of others take. */
export const NEWCOMERS_MAX = FAST_MAX / 4;

/** A busy dispatcher claims some at a time: one statement for several deliveries. */
export const CLAIMED_MIN = FAST_MAX / 4;

/** Attempts that take longer: they do little but wait. */
export const SLOW_MAX = 512;

/** Attempts that are claimed as slow ones at once: their handshakes keep others from the processor. */
export const SLOW_CLAIMED_MAX = CLAIMED_MIN / 2;

/**
 * How often slow places are filled again: what frees them comes one by one, and a look for each would keep the
 * others' waiting. With {@link SLOW_CLAIMED_MAX} enough for all of {@link SLOW_MAX} to come again within an attempt.
 */
export const SLOW_LOOK_EVERY_MS = 50;

/** Attempts of one account, slow and fast: each of them finds a place among the slow ones when it needs it. */
export const ACCOUNT_MAX = SLOW_MAX / 4;

/** Attempts to one receiver; a single one to a slow receiver while slow places are scarce. */
export const RECEIVER_MAX = 4;

/** An attempt as old makes room for another while there are few such. */
export const SLOW_AFTER_MS = SLOW_ATTEMPT_MS;

/** What may be claimed now. */
export type Room = Omit<ClaimQuery, "nowMs" | "leaseMs">;

/** An attempt in the making. */
export interface InFlightDelivery {
  readonly accountId: string;
  readonly receiver: string;
  /** Swift ones turn slow; those that began as slow ones are to receivers that are known for it. */
  pace: "fast" | "turned slow" | "slow";
}

export interface InFlightDeliveries {
  readonly begin: (claimed: ClaimedDelivery, slow: boolean) => InFlightDelivery;
  /** False when too many are slow already. */
  readonly slowDown: (delivering: InFlightDelivery) => boolean;
  readonly end: (delivering: InFlightDelivery) => void;
  /** For receivers that are not known to be slow. */
  readonly fastRoom: () => Room;
  /** The same, but one for each account that has nothing on its way. */
  readonly newcomersRoom: () => Room;
  readonly slowRoom: () => Room;
}

const repeated = <A>(value: A, times: number): ReadonlyArray<A> =>
  Array.from({ length: Math.max(0, times) }, () => value);

const isSlow = ({ pace }: InFlightDelivery): boolean => pace !== "fast";

/** What one account may have on its way while so many have some. */
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
