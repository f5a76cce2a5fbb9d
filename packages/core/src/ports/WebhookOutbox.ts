/**
 * Webhook deliveries and their attempts.
 *
 * Those of extractions are written by Store.transact, in the transaction that ends the run. At least once:
 * a claimed delivery whose attempt is not recorded before its lease ends can be claimed again.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { CursorPosition } from "../domain/request/Cursor.ts";
import type {
  DeliveryAttempt,
  DeliveryStatus,
  DeliverySummary,
  WebhookDelivery
} from "../domain/webhook/WebhookDelivery.ts";
import type { WebhookEndpoint } from "../domain/webhook/WebhookEndpoint.ts";

export interface InFlightDelivery {
  readonly accountId: string;
  /** domain/webhook/WebhookDelivery's receiverOf. */
  readonly receiver: string;
}

/** Limits of a claim. */
export interface ClaimQuery {
  readonly nowMs: number;
  /** Duration of the lease. */
  readonly leaseMs: number;
  readonly limit: number;
  /** Each attempt that the claimer has in flight; those of other claimers are not counted. */
  readonly inFlight: ReadonlyArray<InFlightDelivery>;
  /** Maximum attempts in flight to one receiver. */
  readonly receiverMax: number;
  /** Maximum attempts in flight of one account. */
  readonly accountMax: number;
}

export interface ClaimedDelivery {
  readonly delivery: WebhookDelivery;
  /** Fencing token: later claims have greater ones. */
  readonly claim: number;
  /**
   * Whose secrets sign: the endpoint's own, and for a per-run URL those of the endpoint that the account
   * registered first. Null: unsigned, or not to be sent because its endpoint is gone.
   */
  readonly signer: WebhookEndpoint | null;
}

export interface OutboxDepth {
  /** Pending deliveries, including those waiting for their next attempt. */
  readonly pending: number;
  /** Seconds since the oldest due delivery became due; 0 if none is due. */
  readonly oldestDueSeconds: number;
}

/**
 * `gone`: it does not exist; `unsendable`: its body or its endpoint was deleted; `disabled`: its endpoint is
 * disabled.
 */
export type Redelivery =
  | { readonly _tag: "pending"; readonly delivery: WebhookDelivery }
  | { readonly _tag: "gone" }
  | { readonly _tag: "unsendable" }
  | { readonly _tag: "disabled" };

export class WebhookOutbox extends Context.Service<
  WebhookOutbox,
  {
    /** For events that no decision creates; a taken id is a defect. */
    readonly insert: (delivery: WebhookDelivery) => Effect.Effect<void>;

    /**
     * Claims due deliveries exclusively until the lease ends. Those of the account with the fewest in flight come
     * first, within it those of the receiver with the fewest, then the oldest: the backlog of one does not delay
     * another. Fewer than `limit` means that no more may be claimed, or that others are just being claimed.
     */
    readonly claimDue: (query: ClaimQuery) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>;

    /**
     * Records the attempt and the new state of delivery and endpoint (domain's afterAttempt) atomically; if a
     * redelivery was requested meanwhile, its new schedule applies. If the endpoint becomes disabled, its
     * other pending deliveries fail. Null, with nothing written, if the delivery is no longer pending under
     * this claim.
     */
    readonly recordAttempt: (
      claimed: Pick<ClaimedDelivery, "delivery" | "claim">,
      attempt: DeliveryAttempt,
      nowMs: number
    ) => Effect.Effect<WebhookDelivery | null>;

    /** Releases claims: the deliveries are due as before. Expired claims are not changed. */
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

    /** With its attempts, oldest first. None for another account's delivery. */
    readonly get: (
      accountId: string,
      id: string
    ) => Effect.Effect<
      Option.Option<{
        readonly delivery: WebhookDelivery;
        readonly attempts: ReadonlyArray<DeliveryAttempt>;
      }>
    >;

    /** Makes the delivery due now, with a fresh schedule. */
    readonly redeliver: (accountId: string, id: string, nowMs: number) => Effect.Effect<Redelivery>;

    /**
     * The same for all failed deliveries created at or after `sinceMs` that can be sent, oldest first; returns
     * their number. Works in batches: after an interruption, call it again for the rest.
     */
    readonly redeliverFailed: (accountId: string, sinceMs: number, nowMs: number) => Effect.Effect<number>;

    /**
     * Removes deliveries created before the time, with their attempts, at most `limit`; returns their number.
     */
    readonly removeOld: (createdBeforeMs: number, limit: number) => Effect.Effect<number>;

    readonly depth: (nowMs: number) => Effect.Effect<OutboxDepth>;
  }
>()("@winnow/core/ports/WebhookOutbox") {}
