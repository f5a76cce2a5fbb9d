/** Events of the account, across reconnects. */
import { brokenOff, STREAM_TIMEOUTS, readAgain, readEvents, type StreamOf } from "./events.ts";
import type { AccountBalanceEvent, AccountExtractionEvent, WebhookDelivery } from "./generated/types.ts";
import type { Transport } from "./request.ts";

/**
 * Every stream starts with `balance`. Later ones mean that the previous stream was interrupted or ended: read
 * the lists to find out what happened in between.
 */
export type AccountEvent =
  | { readonly event: "extraction"; readonly data: AccountExtractionEvent }
  | { readonly event: "balance"; readonly data: AccountBalanceEvent }
  | { readonly event: "delivery"; readonly data: WebhookDelivery };

/** A field by which the data of each event is recognised. */
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

/** Ends only with an error: the signal's reason, an API error, or a connection error after all retries. */
export const watchAccount = (
  transport: Transport,
  signal: AbortSignal | undefined
): AsyncGenerator<AccountEvent, void, undefined> => {
  const request = { path: "/v1/events", after: "", signal, timeouts: STREAM_TIMEOUTS };
  return readAgain(transport, () => readEvents(transport, request, ACCOUNT), signal);
};
