/**
 * Authenticates API keys and sessions for /v1, and the operator's token for /admin. Errors state what is wrong,
 * never what would be right.
 */
import { REFUSALS, Unauthorized } from "@winnow/core/domain/request/Refusal";
import { hashApiKey, isApiKey } from "@winnow/core/domain/access/ApiKey";
import { UNNAMED_SUBMITTER, type MadeBy } from "@winnow/core/domain/request/Requester";
import { SESSION_COOKIE } from "@winnow/core/domain/access/Session";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { FileLinks, type LinkState } from "@winnow/core/engine/extractions/FileLinks";
import { ResultLinks } from "@winnow/core/engine/extractions/ResultLinks";
import { isId } from "@winnow/core/engine/Ids";
import { RateLimits, type KeyedRead, type PlannedLimit } from "@winnow/core/ports/RateLimits";
import * as Effect from "effect/Effect";
import type { Headers } from "effect/http/Headers";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import * as Result from "effect/Result";
import {
  AccountAuthorization,
  AdminAuthorization,
  Principal,
  limitOf,
  SessionAuthorization,
  WebSession
} from "./Authorization.ts";
import { fileLinkIn } from "./fileUrls.ts";
import { resultLinkIn } from "./resultUrls.ts";
import { InProcess } from "../InProcess.ts";
import { makeLiveSession, OwnSignIn, isSameOrigin, type SessionsOf } from "./webSession.ts";
import { makeOperatorPrincipal, Operator } from "./Operator.ts";
import { PublicUrl } from "../PublicUrl.ts";

const refused = (message: string, reason?: string) =>
  new Unauthorized({ message, ...(reason === undefined ? {} : { details: { reason } }) });

const MISSING = REFUSALS.Unauthorized.example.message;
const CONTRADICTORY = "x-api-key and Authorization contain different keys; send only one of them.";
const UNKNOWN = "This API key is not valid; it may be mistyped or revoked.";
const SIGNED_OUT = "You are not signed in, or your session has ended; open a new sign-in link.";
const CROSS_ORIGIN = "With a web session, only pages of this server itself may send this request:";
const LINK_ERRORS = {
  expired:
    "This link has expired: links to files work for 15 minutes, links to results for 30 days. Create a new one.",
  invalid: "This link is not valid. Use the complete link, unchanged.",
  revoked:
    "This link has ended: the API key that made it was revoked, or whoever made it was signed out. Create a new one."
};
const NO_SESSION =
  "This needs a web session, not an API key: sign in to the web app with a link from your operator.";

/** The API key of a request; null without one. Headers with different keys are rejected: either could be meant. */
export const keyOf = (headers: Headers): Result.Result<string | null, Unauthorized> => {
  const own = headers["x-api-key"]?.trim();
  const bearer = /^Bearer +(\S+) *$/iu.exec(headers["authorization"] ?? "")?.[1];
  const key = own ?? bearer;
  if (key === undefined || key === "") return Result.succeed(null);
  return own !== undefined && bearer !== undefined && own !== bearer
    ? Result.fail(refused(CONTRADICTORY))
    : Result.succeed(key);
};

const keyPrincipal = (
  { holder: { id, name, accountId, dailyCredits, createdBy }, state, extraction }: KeyedRead,
  isLive: Effect.Effect<boolean>,
  madeBy: MadeBy
): Principal["Service"] => ({
  accountId,
  memberId: createdBy,
  requester: { madeBy, apiKeyId: id, apiKeyName: name },
  dailyCredits,
  via: "key",
  isLive,
  read: { state, extraction }
});

const webPrincipal = ({ accountId, memberId, isLive }: BrowserSession): Principal["Service"] => ({
  accountId,
  memberId,
  requester: { madeBy: "web", apiKeyId: null, apiKeyName: null },
  dailyCredits: null,
  via: "web",
  isLive,
  read: null
});

type ServerRequest = HttpServerRequest.HttpServerRequest;

/** A browser's session; `id` is null if the embedder authenticated it. */
interface BrowserSession {
  readonly id: string | null;
  readonly accountId: string;
  readonly memberId: string | null;
  readonly isLive: Effect.Effect<boolean>;
}

const makeSameOrigin = Effect.map(PublicUrl, (publicUrl) =>
  Effect.fnUntraced(function* (request: ServerRequest) {
    if (isSameOrigin(request, publicUrl)) return;
    return yield* refused(`${CROSS_ORIGIN} ${publicUrl}.`, "cross_origin");
  })
);

/** The account returned by the embedder; unknown accounts and invalid ids count as signed out. */
const makeOwnSessionOf = Effect.fnUntraced(function* (sessionsOf: SessionsOf) {
  const accounts = yield* Accounts;
  const sameOrigin = yield* makeSameOrigin;
  return Effect.fnUntraced(function* (request: ServerRequest, missing: Unauthorized) {
    // Checked for JavaScript callers too, which often return undefined.
    const current = Effect.promise(async (): Promise<unknown> => sessionsOf(request.source as Request));
    const accountId = yield* current;
    if (typeof accountId !== "string" || accountId === "") return yield* missing;
    yield* sameOrigin(request);
    yield* Effect.mapError(accounts.get(accountId), () => refused(SIGNED_OUT, "signed_out"));
    const isLive = Effect.map(current, (found) => found === accountId);
    return { id: null, accountId, memberId: null, isLive } satisfies BrowserSession as BrowserSession;
  });
});

/** The live session of the request; fails with `missing` if there is none. */
const makeSessionOf = Effect.gen(function* () {
  const sessionsOf = yield* OwnSignIn;
  if (sessionsOf !== null) return yield* makeOwnSessionOf(sessionsOf);
  const liveSession = yield* makeLiveSession;
  const sameOrigin = yield* makeSameOrigin;
  return Effect.fnUntraced(function* (request: ServerRequest, missing: Unauthorized) {
    const token = request.cookies[SESSION_COOKIE];
    if (token === undefined || token === "") return yield* missing;
    yield* sameOrigin(request);
    const live = liveSession(request);
    const { id, accountId, member } = yield* Effect.mapError(Effect.flatMap(live, Effect.fromOption), () =>
      refused(SIGNED_OUT, "signed_out")
    );
    const isLive = Effect.map(live, Option.isSome);
    return { id, accountId, memberId: member?.id ?? null, isLive } satisfies BrowserSession as BrowserSession;
  });
});

/** What has begun before a link expires may end. */
const linkOf = (accountId: string, check: Effect.Effect<LinkState>) =>
  Effect.map(check, (state) => ({
    accountId,
    state,
    isLive: Effect.map(check, (now) => now !== "revoked")
  }));

/** The account and state of the link in a URL of this endpoint; null without one. */
const makeLinkIn = Effect.gen(function* () {
  const files = yield* FileLinks;
  const results = yield* ResultLinks;
  return Effect.fnUntraced(function* (endpoint: string, url: string) {
    const file = endpoint === "file" ? fileLinkIn(url) : null;
    if (file !== null) return yield* linkOf(file.accountId, files.check(file));
    const table = endpoint === "listResults" ? resultLinkIn(url) : null;
    return table === null ? null : yield* linkOf(table.accountId, results.check(table));
  });
});

/** The account of a link; null for a request without one. @fails Unauthorized for an expired or forged link */
const makeLinkPrincipal = Effect.map(makeLinkIn, (linkIn) =>
  Effect.fnUntraced(function* (endpoint: string) {
    const { originalUrl } = yield* HttpServerRequest.HttpServerRequest;
    const link = yield* linkIn(endpoint, originalUrl);
    if (link === null) return null;
    const { state } = link;
    if (state !== "valid") return yield* refused(LINK_ERRORS[state], `link_${state}`);
    return {
      accountId: link.accountId,
      memberId: null,
      ...UNNAMED_SUBMITTER,
      via: "link",
      isLive: link.isLive,
      read: null
    } satisfies Principal["Service"];
  })
);

/** The account of a key, including one the operator acts for. `extractionId` is read with it; null for none. */
export const makeKeyPrincipal = Effect.gen(function* () {
  const { authenticate } = yield* Accounts;
  const { readWithKey } = yield* RateLimits;
  const operatorPrincipal = yield* makeOperatorPrincipal;
  return Effect.fnUntraced(function* (
    request: ServerRequest,
    limit: PlannedLimit,
    extractionId: string | null
  ) {
    const key = yield* Effect.fromResult(keyOf(request.headers));
    if (key === null) return yield* refused(MISSING);
    const operator = yield* operatorPrincipal(request, key);
    if (operator !== null) return operator;
    const read = isApiKey(key) ? yield* readWithKey(hashApiKey(key), limit, extractionId) : Option.none();
    if (Option.isNone(read)) return yield* refused(UNKNOWN);
    const isLive = Effect.map(authenticate(key), Option.isSome);
    return keyPrincipal(read.value, isLive, (yield* InProcess)?.madeBy ?? "api");
  });
});

/** The extraction that the path names, if it does. */
const extractionIdInPath = Effect.map(HttpRouter.RouteContext, ({ params: { id } }) =>
  id !== undefined && isId("ext", id) ? id : null
);

export const accounts = Layer.effect(
  AccountAuthorization,
  Effect.gen(function* () {
    const keyPrincipalOf = yield* makeKeyPrincipal;
    const sessionOf = yield* makeSessionOf;
    const linkPrincipal = yield* makeLinkPrincipal;
    const operatorPrincipal = yield* makeOperatorPrincipal;
    // Tried in this order; if all fail, the last one's error is sent.
    return AccountAuthorization.of({
      // Both headers are checked here, whichever contains the key.
      apiKey: Effect.fnUntraced(function* (handler, { endpoint }) {
        const request = yield* HttpServerRequest.HttpServerRequest;
        const key = yield* Effect.fromResult(keyOf(request.headers));
        const linked = key === null ? yield* linkPrincipal(endpoint.identifier) : null;
        if (linked !== null) return yield* Effect.provideService(handler, Principal, linked);
        const principal = yield* keyPrincipalOf(request, limitOf(endpoint), yield* extractionIdInPath);
        return yield* Effect.provideService(handler, Principal, principal);
      }),
      bearer: () => Effect.fail(refused(UNKNOWN)),
      // A key rejected above stays rejected, even with a cookie.
      session: Effect.fnUntraced(function* (handler, { endpoint }) {
        const request = yield* HttpServerRequest.HttpServerRequest;
        const key = yield* Effect.fromResult(keyOf(request.headers));
        if (key !== null) {
          yield* operatorPrincipal(request, key);
          return yield* refused(UNKNOWN);
        }
        // The last method's error is sent, so that an expired link is reported as such.
        const missing = yield* linkPrincipal(endpoint.identifier).pipe(
          Effect.match({ onSuccess: () => refused(MISSING), onFailure: (fault) => fault })
        );
        const session = yield* sessionOf(request, missing);
        return yield* Effect.provideService(handler, Principal, webPrincipal(session));
      })
    });
  })
);

export const sessions = Layer.effect(
  SessionAuthorization,
  Effect.gen(function* () {
    const sessionOf = yield* makeSessionOf;
    const operatorPrincipal = yield* makeOperatorPrincipal;
    const required = refused(NO_SESSION, "session_required");
    return SessionAuthorization.of({
      session: Effect.fnUntraced(function* (handler) {
        const request = yield* HttpServerRequest.HttpServerRequest;
        const key = Result.getOrElse(keyOf(request.headers), () => null);
        const operator = key === null ? null : yield* operatorPrincipal(request, key);
        if (operator !== null) {
          return yield* handler.pipe(
            Effect.provideService(Principal, operator),
            Effect.provideService(WebSession, { id: null })
          );
        }
        const session = yield* sessionOf(request, required);
        return yield* handler.pipe(
          Effect.provideService(Principal, webPrincipal(session)),
          Effect.provideService(WebSession, { id: session.id })
        );
      })
    });
  })
);

export const admin = Layer.effect(
  AdminAuthorization,
  Effect.map(Operator, ({ isOperator }) =>
    AdminAuthorization.of({
      adminToken: Effect.fnUntraced(function* (handler, { credential }) {
        if (yield* isOperator(Redacted.value(credential))) return yield* handler;
        return yield* refused("Send the operator's admin token as Authorization: Bearer.");
      })
    })
  )
);
