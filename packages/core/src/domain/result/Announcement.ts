/**
 * Adds webhook deliveries to every decision that ends a run, so that no code path can forget them. They are
 * written in the same transaction as the settlement.
 */
import * as Result from "effect/Result";
import type { Decider } from "../run/Decision.ts";
import { isTerminal } from "../run/Transition.ts";
import { endDeliveries } from "./EventDeliveries.ts";

export interface AnnouncementContext {
  /** Base URL of artifacts, without a trailing slash. */
  readonly publicUrl: string;
  readonly nowMs: number;
}

/** The same decision, with one delivery per receiver for each extraction that ends. */
export const announcing =
  <A, E>(decide: Decider<A, E>, context: AnnouncementContext): Decider<A, E> =>
  (view) =>
    Result.map(decide(view), ({ value, changes }) => {
      // Ended extractions never change again, so an ended one among the changes has just ended.
      const ended = [...changes.inserted, ...changes.updated].filter(({ status }) => isTerminal(status));
      const deliveries = ended.flatMap((extraction) =>
        endDeliveries(extraction, view.webhookEndpoints, context)
      );
      return { value, changes: deliveries.length === 0 ? changes : { ...changes, deliveries } };
    });
