/**
 * Checks keys and sessions of accounts for /v1, the operator's token for /admin. Says what is wrong, never
 * what would be right.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { SESSION_COOKIE } from "@winnow/core/domain/Session";
import { Accounts } from "@winnow/core/engine/Accounts";
import { SignIn } from "@winnow/core/engine/SignIn";
import * as Effect from "effect/Effect";
import type { Headers } from "effect/http/Headers";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import * as Result from "effect/Result";
import { Unauthorized } from "../api/ApiErrors.ts";
import {
  AccountAuthorization,
  AdminAuthorization,
  Principal,
  SessionAuthorization,
  WebSession
} from "../api/Authorization.ts";
import { CountedRequest, limitOf, makeAdmission } from "./Admission.ts";
import { OwnSignIn, type SessionsOf } from "./OwnSignIn.ts";
import { PublicUrl } from "./PublicUrl.ts";
import { isSameOrigin } from "./sameOrigin.ts";

const refused = (message: string, reason?: string) =>
  new Unauthorized({ error: { message, ...(reason === undefined ? {} : { details: { reason } }) } });

const MISSING = "Send an API key in the x-api-key header or as Authorization: Bearer.";
const CONTRADICTORY = "x-api-key and Authorization hold different keys; send one of them.";
const UNKNOWN = "This API key is not valid; it may be mistyped or revoked.";
const SIGNED_OUT = "You are not signed in, or not any more; open a new sign-in link.";
const CROSS_ORIGIN = "With a web session alone, only pages of this server itself may ask for this:";
const NO_SESSION =
  "This takes a web session and no API key: sign in to the web app with a link from your operator.";

/** The key that a request came with, null without one (contract 4: both headers and different is refused). */
export const keyOf = (headers: Headers): Result.Result<string | null, Unauthorized> => {
  const own = headers["x-api-key"]?.trim();
  const bearer = /^Bearer +(\S+) *$/iu.exec(headers["authorization"] ?? "")?.[1];
  const key = own ?? bearer;
  if (key === undefined || key === "") return Result.succeed(null);
  return own !== undefined && bearer !== undefined && own !== bearer
    ? Result.fail(refused(CONTRADICTORY))
    : Result.succeed(key);
};

type ServerRequest = HttpServerRequest.HttpServerRequest;

/** A browser's session; `id` is null where the embedder vouches for it. */
interface BrowserSession {
  readonly id: string | null;
  readonly accountId: string;
}

const makeSameOrigin = Effect.map(PublicUrl, (publicUrl) =>
  Effect.fnUntraced(function* (request: ServerRequest) {
    if (isSameOrigin(request, publicUrl)) return;
    return yield* refused(`${CROSS_ORIGIN} ${publicUrl}.`, "cross_origin");
  })
);

/** As the embedder says; an account that is not there is nobody, and so is what is no id at all. */
const makeOwnSessionOf = Effect.fnUntraced(function* (sessionsOf: SessionsOf) {
  const accounts = yield* Accounts;
  const sameOrigin = yield* makeSameOrigin;
  return Effect.fnUntraced(function* (request: ServerRequest, missing: Unauthorized) {
    // Of JavaScript too, where a visitor who is not found is often undefined.
    const accountId: unknown = yield* Effect.promise(async () => sessionsOf(request.source as Request));
    if (typeof accountId !== "string" || accountId === "") return yield* missing;
    yield* sameOrigin(request);
    yield* Effect.mapError(accounts.get(accountId), () => refused(SIGNED_OUT, "signed_out"));
    return { id: null, accountId } satisfies BrowserSession as BrowserSession;
  });
});

/** The live session of the request; `missing` is said when it has none. */
const makeSessionOf = Effect.gen(function* () {
  const sessionsOf = yield* OwnSignIn;
  if (sessionsOf !== null) return yield* makeOwnSessionOf(sessionsOf);
  const { authenticate } = yield* SignIn;
  const sameOrigin = yield* makeSameOrigin;
  return Effect.fnUntraced(function* (request: ServerRequest, missing: Unauthorized) {
    const token = request.cookies[SESSION_COOKIE];
    if (token === undefined || token === "") return yield* missing;
    yield* sameOrigin(request);
    const session = yield* authenticate(token);
    return yield* Effect.mapError(Effect.fromOption(session), () =>
      refused(SIGNED_OUT, "signed_out")
    ) as Effect.Effect<BrowserSession, Unauthorized>;
  });
});

export const accounts = Layer.effect(
  AccountAuthorization,
  Effect.gen(function* () {
    const admission = yield* makeAdmission;
    const sessionOf = yield* makeSessionOf;
    // Tried in this order; the answer of the last is the one that is sent.
    return AccountAuthorization.of({
      // Both headers are looked at here, whichever holds the key.
      apiKey: Effect.fnUntraced(function* (handler, { endpoint }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest;
        const key = yield* Effect.fromResult(keyOf(headers));
        if (key === null) return yield* refused(MISSING);
        const admitted = yield* admission(key, limitOf(endpoint));
        if (Option.isNone(admitted)) return yield* refused(UNKNOWN);
        const { accountId, state } = admitted.value;
        return yield* handler.pipe(
          Effect.provideService(Principal, { accountId }),
          Effect.provideService(CountedRequest, state)
        );
      }),
      bearer: () => Effect.fail(refused(UNKNOWN)),
      // A key that was refused above stays refused, whatever cookie comes with it.
      session: Effect.fnUntraced(function* (handler) {
        const request = yield* HttpServerRequest.HttpServerRequest;
        const key = yield* Effect.fromResult(keyOf(request.headers));
        if (key !== null) return yield* refused(UNKNOWN);
        const { accountId } = yield* sessionOf(request, refused(MISSING));
        return yield* Effect.provideService(handler, Principal, { accountId });
      })
    });
  })
);

export const sessions = Layer.effect(
  SessionAuthorization,
  Effect.map(makeSessionOf, (sessionOf) =>
    SessionAuthorization.of({
      session: Effect.fnUntraced(function* (handler) {
        const request = yield* HttpServerRequest.HttpServerRequest;
        const { id, accountId } = yield* sessionOf(request, refused(NO_SESSION, "session_required"));
        return yield* handler.pipe(
          Effect.provideService(Principal, { accountId }),
          Effect.provideService(WebSession, { id })
        );
      })
    })
  )
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
