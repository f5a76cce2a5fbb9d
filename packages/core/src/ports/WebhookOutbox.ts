/**
 * Deliveries and what became of them.
 *
 * Those of extractions are written by Store.transact, in the transaction that ends the run. At least once:
 * a claimed delivery whose attempt is not recorded before its lease ends is handed out again.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { CursorPosition } from "../domain/Cursor.ts";
import type {
  DeliveryAttempt,
  DeliveryStatus,
  DeliverySummary,
  WebhookDelivery
} from "../domain/WebhookDelivery.ts";
import type { WebhookEndpoint } from "../domain/WebhookEndpoint.ts";

/** Which deliveries one claim may take. */
export interface ClaimQuery {
  readonly nowMs: number;
  /** Of receivers whose last attempt was slow (domain/WebhookDelivery's wasSlow), or of the others. */
  readonly slow: boolean;
  /** How long they are the claimer's alone. */
  readonly leaseMs: number;
  readonly limit: number;
  /** Receiver (domain/WebhookDelivery's receiverOf) of each attempt the claimer has in flight, with repeats. */
  readonly busyReceivers: ReadonlyArray<string>;
  /** In flight to one receiver, at most. */
  readonly receiverMax: number;
  /** Account of each attempt that the claimer counts, with repeats. */
  readonly busyAccounts: ReadonlyArray<string>;
  readonly accountMax: number;
}

export interface ClaimedDelivery {
  readonly delivery: WebhookDelivery;
  /** Fencing token: who claims later holds a greater one. */
  readonly claim: number;
  /**
   * Whose secrets sign: the endpoint's own, and for a per-run URL those of the endpoint that the account
   * registered first. Null: unsigned, or not to be sent because its endpoint is gone.
   */
  readonly signer: WebhookEndpoint | null;
}

export interface OutboxDepth {
  /** Pending deliveries, those that wait for their next attempt included. */
  readonly pending: number;
  /** Since the oldest of the due ones was due; 0 when none is. */
  readonly oldestDueSeconds: number;
}

/** `gone`: not there; `unsendable`: its body, or its endpoint, is gone; `disabled`: its endpoint is. */
export type Redelivery =
  | { readonly _tag: "pending"; readonly delivery: WebhookDelivery }
  | { readonly _tag: "gone" }
  | { readonly _tag: "unsendable" }
  | { readonly _tag: "disabled" };

export class WebhookOutbox extends Context.Service<
  WebhookOutbox,
  {
    /** For events that no decision makes; fails as a defect when the id is taken. */
    readonly insert: (delivery: WebhookDelivery) => Effect.Effect<void>;

    /**
     * Due deliveries, each for this claimer alone until its lease ends. Accounts take turns, and so do the
     * receivers of an account: no backlog of one delays another.
     */
    readonly claimDue: (query: ClaimQuery) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>;

    /**
     * Writes the attempt and what follows of it (domain's afterAttempt, of delivery and endpoint) at once; a
     * delivery that was made due again meanwhile goes on in its new schedule. An endpoint that is given up takes
     * its other pending deliveries with it. Null, and nothing is written, when the delivery is no longer pending
     * under this claim.
     */
    readonly recordAttempt: (
      claimed: Pick<ClaimedDelivery, "delivery" | "claim">,
      attempt: DeliveryAttempt,
      nowMs: number
    ) => Effect.Effect<WebhookDelivery | null>;

    /** Gives claims back: due as before, at once. Those that are not held any more stay as they are. */
    readonly release: (
      claims: ReadonlyArray<Pick<ClaimedDelivery, "delivery" | "claim">>
    ) => Effect.Effect<void>;

    /** Newest first by (createdAtMs, id), strictly after `after`; at most `limit`. */
    readonly list: (
      accountId: string,
      page: {
        readonly after: CursorPosition | null;
        readonly limit: number;
        readonly status: DeliveryStatus | null;
      }
    ) => Effect.Effect<ReadonlyArray<DeliverySummary>>;

    /** With its attempts, oldest first. Another account's delivery is none. */
    readonly get: (
      accountId: string,
      id: string
    ) => Effect.Effect<
      Option.Option<{
        readonly delivery: WebhookDelivery;
        readonly attempts: ReadonlyArray<DeliveryAttempt>;
      }>
    >;

    /** Due now, with its schedule from the start. */
    readonly redeliver: (accountId: string, id: string, nowMs: number) => Effect.Effect<Redelivery>;

    /**
     * The same for all failed ones made at or after `sinceMs` that can be sent, the oldest first; answers how
     * many. Some at a time: whoever is interrupted may ask again for the rest.
     */
    readonly redeliverFailed: (accountId: string, sinceMs: number, nowMs: number) => Effect.Effect<number>;

    /** Removes deliveries made before the time, with their attempts, at most `limit`; answers how many. */
    readonly removeOld: (createdBeforeMs: number, limit: number) => Effect.Effect<number>;

    /** Whether a claim could find something; cheap, for who looks often. */
    readonly isDue: (nowMs: number) => Effect.Effect<boolean>;

    readonly depth: (nowMs: number) => Effect.Effect<OutboxDepth>;
  }
>()("@winnow/core/ports/WebhookOutbox") {}
