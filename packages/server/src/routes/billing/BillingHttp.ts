/**
 * Handlers of selling credits.
 */
import { InvalidRequest, NotReady } from "@winnow/core/domain/request/Refusal";
import { Billing } from "@winnow/core/engine/accounts/Billing";
import type { CheckoutFailed, NoticeRefused } from "@winnow/core/ports/Checkout";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import { PaymentsApi } from "./BillingApi.ts";
import { apiOf, setResponseHeaders } from "../../http/handlers.ts";
import { Principal } from "../../http/authentication/Authorization.ts";
import { readBytes } from "../../http/JsonBody.ts";

/** A guess, because payment services do not say. */
const RETRY_SECONDS = 10;

const away = Effect.fnUntraced(function* ({ cause }: CheckoutFailed) {
  yield* Effect.logError("The payment service failed", cause);
  yield* setResponseHeaders({ "retry-after": String(RETRY_SECONDS) });
  return yield* new NotReady({
    message: "The payment service does not respond; nothing was paid. Try again in a moment."
  });
});

const noticeRefused = ({ message }: NoticeRefused) =>
  Effect.fail(new InvalidRequest({ message, details: { param: "signature", reason: "not_signed" } }));

/** Endpoints for an account, used by the handlers of other groups. */
export const makeBilling = Effect.map(Billing, ({ offer, start }) => ({
  offer: Effect.fn("http.billing")(function* () {
    const amounts = offer.packs.map(({ credits }) => credits);
    const minimumCredits = amounts.length === 0 ? null : Math.min(...amounts);
    return yield* Effect.succeed({ ...offer, minimumCredits });
  }),
  topUp: Effect.fn("http.topUp")(function* (credits: number) {
    const { accountId } = yield* Principal;
    return yield* Effect.catchTag(start(accountId, credits), "CheckoutFailed", away);
  })
}));

export const payments = HttpApiBuilder.group(
  apiOf(PaymentsApi),
  "payments",
  Effect.fnUntraced(function* (handlers) {
    const { receive } = yield* Billing;
    // Raw: the signature is over the bytes.
    return handlers.handleRaw(
      "receivePayment",
      Effect.fnUntraced(function* ({ params, request }) {
        const body = new Uint8Array(yield* readBytes(request));
        yield* receive(params.method, { body, headers: request.headers }).pipe(
          Effect.catchTags({ NoticeRefused: noticeRefused, CheckoutFailed: away })
        );
      })
    );
  })
);
