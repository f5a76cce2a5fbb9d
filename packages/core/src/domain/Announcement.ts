/**
 * Announces every end of a run in the decision that brings it about, so that no way to end one can forget
 * its events (contract 6: written in the same transaction as the settlement).
 */
import * as Result from "effect/Result";
import type { Decider } from "./Decision.ts";
import { isTerminal } from "./Transition.ts";
import { endDeliveries } from "./WebhookEvent.ts";

export interface AnnouncementContext {
  /** Where artifacts are to be had; no slash at its end. */
  readonly publicUrl: string;
  readonly nowMs: number;
}

/** The same decision, with a delivery to each receiver for each extraction that it brings to its end. */
export const announcing =
  <A, E>(decide: Decider<A, E>, context: AnnouncementContext): Decider<A, E> =>
  (view) =>
    Result.map(decide(view), ({ value, changes }) => {
      // What is over never changes again, so whatever is written as over came to its end here.
      const ended = [...changes.inserted, ...changes.updated].filter(({ status }) => isTerminal(status));
      const deliveries = ended.flatMap((extraction) =>
        endDeliveries(extraction, view.webhookEndpoints, context)
      );
      return { value, changes: deliveries.length === 0 ? changes : { ...changes, deliveries } };
    });
