/**
 * Webhook attempts in flight in this process, and how many more may start. Before you change a limit, run
 * packages/adapters/bench/webhooks.ts. Tests: WebhookDispatcher.test.ts.
 */
import { receiverOf, type WebhookDelivery } from "../../domain/webhook/WebhookDelivery.ts";
import type { ClaimQuery, InFlightDelivery } from "../../ports/WebhookOutbox.ts";

/** Maximum attempts to one receiver. */
export const RECEIVER_MAX = 4;

/** Maximum attempts of one account. */
export const ACCOUNT_MAX = 16;

/**
 * Maximum attempts in total. They mostly wait for responses; but if all begin at once, their handshakes must end within
 * the time limit of an attempt, even at 100 a second.
 */
export const IN_FLIGHT_MAX = 512;

/** Maximum deliveries per claim, so that their handshakes do not come in one burst. */
const CLAIM_MAX = 64;

/** The limits of the next claim. */
export type ClaimLimits = Omit<ClaimQuery, "nowMs" | "leaseMs">;

export interface InFlightDeliveries {
  readonly begin: (delivery: WebhookDelivery) => InFlightDelivery;
  /** Whether other deliveries may have waited for its end. */
  readonly end: (ended: InFlightDelivery) => boolean;
  readonly limits: () => ClaimLimits;
}

export const makeInFlightDeliveries = (): InFlightDeliveries => {
  const inFlight = new Set<InFlightDelivery>();
  const countSame = (key: "accountId" | "receiver", { [key]: value }: InFlightDelivery): number =>
    [...inFlight].filter((other) => other[key] === value).length;

  return {
    begin: (delivery) => {
      const begun = { accountId: delivery.accountId, receiver: receiverOf(delivery) };
      inFlight.add(begun);
      return begun;
    },
    end: (ended) => {
      const wasFull =
        inFlight.size >= IN_FLIGHT_MAX ||
        countSame("accountId", ended) >= ACCOUNT_MAX ||
        countSame("receiver", ended) >= RECEIVER_MAX;
      inFlight.delete(ended);
      return wasFull;
    },
    limits: () => ({
      limit: Math.min(CLAIM_MAX, IN_FLIGHT_MAX - inFlight.size),
      inFlight: [...inFlight],
      accountMax: ACCOUNT_MAX,
      receiverMax: RECEIVER_MAX
    })
  };
};
