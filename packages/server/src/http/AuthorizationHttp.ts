/**
 * Checks keys: of accounts for /v1, the operator's for /admin. Says what is wrong, never what would be right.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { Accounts } from "@winnow/core/engine/Accounts";
import * as Effect from "effect/Effect";
import type { Headers } from "effect/http/Headers";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import * as Result from "effect/Result";
import { Unauthorized } from "../api/ApiErrors.ts";
import { AccountAuthorization, AdminAuthorization, Principal } from "../api/Authorization.ts";

const refused = (message: string) => new Unauthorized({ error: { message } });

const MISSING = "Send an API key in the x-api-key header or as Authorization: Bearer.";
const CONTRADICTORY = "x-api-key and Authorization hold different keys; send one of them.";
const UNKNOWN = "This API key is not valid; it may be mistyped or revoked.";

/** The key that a request came with (contract 4: both headers present and different is refused). */
export const keyOf = (headers: Headers): Result.Result<string, Unauthorized> => {
  const own = headers["x-api-key"]?.trim();
  const bearer = /^Bearer +(\S+) *$/iu.exec(headers["authorization"] ?? "")?.[1];
  const key = own ?? bearer;
  if (key === undefined || key === "") return Result.fail(refused(MISSING));
  return own !== undefined && bearer !== undefined && own !== bearer
    ? Result.fail(refused(CONTRADICTORY))
    : Result.succeed(key);
};

export const accounts = Layer.effect(
  AccountAuthorization,
  Effect.gen(function* () {
    const { authenticate } = yield* Accounts;
    return AccountAuthorization.of({
      // Both headers are looked at here, whichever holds the key.
      apiKey: Effect.fnUntraced(function* (handler) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest;
        const key = yield* Effect.fromResult(keyOf(headers));
        const account = yield* authenticate(key);
        if (Option.isNone(account)) return yield* refused(UNKNOWN);
        return yield* Effect.provideService(handler, Principal, { accountId: account.value });
      }),
      // Tried when the one above refused, and its answer is the one that is sent: give the same reason.
      bearer: Effect.fnUntraced(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest;
        yield* Effect.fromResult(keyOf(headers));
        return yield* refused(UNKNOWN);
      })
    });
  })
);

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Compared as digests: neither the length nor a common start of the token shows in the time it takes. */
export const admin = (token: Redacted.Redacted) => {
  const expected = digest(Redacted.value(token));
  return Layer.succeed(
    AdminAuthorization,
    AdminAuthorization.of({
      adminToken: (handler, { credential }) =>
        timingSafeEqual(digest(Redacted.value(credential)), expected)
          ? handler
          : Effect.fail(refused("Send the operator's admin token as Authorization: Bearer."))
    })
  );
};
