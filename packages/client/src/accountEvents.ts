/** Everything that happens in the account, over as many streams as it takes. */
import { brokenOff, PATIENCE, readAgain, readEvents, type StreamOf } from "./events.ts";
import type { AccountBalanceEvent, AccountExtractionEvent, WebhookDelivery } from "./generated/types.ts";
import type { Transport } from "./request.ts";

/**
 * `balance` comes first of every stream. After the first it means that an earlier stream broke off or came to its
 * end: what happened in between is in the lists.
 */
export type AccountEvent =
  | { readonly event: "extraction"; readonly data: AccountExtractionEvent }
  | { readonly event: "balance"; readonly data: AccountBalanceEvent }
  | { readonly event: "delivery"; readonly data: WebhookDelivery };

/** What the data of each event has. */
const MARKS: Readonly<Record<string, string>> = { extraction: "id", balance: "balance", delivery: "id" };

const ACCOUNT: StreamOf<AccountEvent> = {
  read: ({ event, data }) => {
    const mark = MARKS[event];
    if (mark === undefined) return null;
    const value: unknown = JSON.parse(data);
    if (typeof value !== "object" || value === null || !(mark in value)) throw brokenOff();
    return { event, data: value } as AccountEvent;
  },
  isLast: () => false
};

/** Ends with an error only: the signal's reason, a refusal, or a service that stays away. */
export const watchAccount = (
  transport: Transport,
  signal: AbortSignal | undefined
): AsyncGenerator<AccountEvent, void, undefined> => {
  const request = { path: "/v1/events", after: "", signal, patience: PATIENCE };
  return readAgain(transport, () => readEvents(transport, request, ACCOUNT), signal);
};
