/** Handlers of selling credits. */
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

/** What endpoints of the account's groups answer. */
export const makeBilling = Billing.useSync(({ offer, start }) => ({
  offer: {
    ...offer,
    minimumCredits: offer.packs.length === 0 ? null : Math.min(...offer.packs.map(({ credits }) => credits))
  },
  topUp: (credits: number) =>
    Principal.use(({ accountId }) => Effect.catchTag(start(accountId, credits), "CheckoutFailed", away))
}));

export const payments = HttpApiBuilder.group(apiOf(PaymentsApi), "payments", (handlers) =>
  Billing.useSync(({ receive }) =>
    // Raw: the signature is over the bytes.
    handlers.handleRaw(
      "receivePayment",
      Effect.fnUntraced(function* ({ params, request }) {
        const body = new Uint8Array(yield* readBytes(request));
        yield* receive(params.method, { body, headers: request.headers }).pipe(
          Effect.catchTags({ NoticeRefused: noticeRefused, CheckoutFailed: away })
        );
      })
    )
  )
);
