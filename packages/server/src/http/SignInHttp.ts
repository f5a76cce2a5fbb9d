/**
 * Sign-in: redeems the operator's links and runs the other methods. Each creates a new session; a browser's
 * previous session is never reused (session fixation).
 */
import { SESSION_COOKIE } from "@winnow/core/domain/Session";
import { SignIn, type OpenedSession } from "@winnow/core/engine/SignIn";
import type { Identity } from "@winnow/core/domain/Member";
import { SignInMethods, type SignInMethod, type SignInRefused } from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Option from "effect/Option";
import { Api } from "../api/Api.ts";
import { returnPath } from "./returnPath.ts";
import { OwnSignIn, OwnSignInUrl } from "./OwnSignIn.ts";
import { personOf } from "./personOf.ts";
import { clearPending, readPending, setPending } from "./pendingCookie.ts";
import { PublicUrl } from "./PublicUrl.ts";
import { setSessionCookie } from "./sessionCookie.ts";
import { signInPage } from "./signInPage.ts";
import {
  isBrowser,
  notAMember,
  pageResponse,
  signInErrorOf,
  signInErrorResponse,
  LINK_USED,
  UNKNOWN_METHOD,
  type SignInError
} from "./signInErrors.ts";

type Response = HttpServerResponse.HttpServerResponse;

/** The token is in the query, because paths are logged and queries are not. */
export const signInUrl = (publicUrl: string, token: string): string => `${publicUrl}/sign-in?token=${token}`;

/** Requests by link previews must not consume the link. */
const isPrefetch = ({ method, headers }: HttpServerRequest): boolean =>
  method === "HEAD" || (headers["sec-purpose"] ?? headers["purpose"] ?? "").includes("prefetch");

const NO_STORE = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

const notRedeemed = HttpServerResponse.empty({ status: 204, headers: NO_STORE });

const redirect = (url: string): Response =>
  HttpServerResponse.redirect(url, { status: 303, headers: NO_STORE });

const userAgentOf = ({ headers }: HttpServerRequest): string | null => headers["user-agent"] ?? null;

const makeSignIn = Effect.gen(function* () {
  const { admit, authenticate } = yield* SignIn;
  const methods = yield* SignInMethods;
  const publicUrl = yield* PublicUrl;
  const refused = (request: HttpServerRequest, refusal: SignInError) =>
    signInErrorResponse(request, refusal, { methods, publicUrl });

  const opened = (to: string | undefined, { token }: OpenedSession): Response =>
    setSessionCookie(redirect(returnPath(to, publicUrl)), token, publicUrl);

  const admitted = Effect.fnUntraced(function* (
    request: HttpServerRequest,
    identity: Identity,
    to: string | undefined
  ) {
    const session = yield* admit(identity, userAgentOf(request));
    return Option.match(session, {
      onNone: () => refused(request, notAMember(identity.email ?? identity.name ?? identity.subject)),
      onSome: (found) => opened(to, found)
    });
  });

  const begin = Effect.fnUntraced(
    function* (request: HttpServerRequest, method: SignInMethod, to: string | undefined) {
      const callbackUrl = `${publicUrl}/sign-in/${method.name}/callback`;
      const started = yield* method.begin({ ...personOf(request), callbackUrl });
      return started._tag === "Known"
        ? yield* admitted(request, started.identity, to)
        : setPending(redirect(started.url), { ...started, method: method.name, to: to ?? "" }, publicUrl);
    },
    (effect, request) =>
      Effect.catchTag(effect, "SignInRefused", (refusal: SignInRefused) =>
        Effect.succeed(refused(request, signInErrorOf(refusal)))
      )
  );

  const methodOf = (name: string) => methods.find((method) => method.name === name);

  const finish = Effect.fnUntraced(
    function* (request: HttpServerRequest, name: string) {
      const method = methodOf(name);
      if (method === undefined || method.isAutomatic) return refused(request, UNKNOWN_METHOD);
      const pending = readPending(request.cookies);
      const query = request.originalUrl.split("?").slice(1).join("?");
      const answerUrl = `${publicUrl}/sign-in/${name}/callback?${query}`;
      const own = pending?.method === name ? pending : null;
      const identity = yield* method.finish(answerUrl, own?.pending ?? "");
      return yield* admitted(request, identity, own?.to);
    },
    (effect, request) =>
      effect.pipe(
        Effect.catchTag("SignInRefused", (refusal: SignInRefused) =>
          Effect.succeed(refused(request, signInErrorOf(refusal)))
        ),
        // In any case, because a response may be used only once.
        Effect.map((response) => clearPending(response, publicUrl))
      )
  );

  /** Without a link: the automatic method if there is one, else the page with all methods. */
  const choose = Effect.fnUntraced(function* (request: HttpServerRequest, to: string | undefined) {
    const automatic = methods.find((method) => method.isAutomatic);
    if (automatic !== undefined) return yield* begin(request, automatic, to);
    if (!isBrowser(request)) return refused(request, LINK_USED);
    const text =
      methods.length === 0
        ? "Open the sign-in link from your operator. Each link works once, for 15 minutes."
        : "Choose how to sign in, or open the sign-in link from your operator.";
    return pageResponse(signInPage({ title: "Sign in", text, methods, to: to ?? null }, publicUrl));
  });

  /** If a used link is opened again, for example by restored tabs, its session is already there. */
  const isSignedIn = (request: HttpServerRequest) =>
    Effect.map(authenticate(request.cookies[SESSION_COOKIE] ?? ""), Option.isSome);

  return { methods, publicUrl, refused, opened, begin, finish, choose, methodOf, isSignedIn };
});

export const layer = HttpApiBuilder.group(
  Api,
  "signIn",
  Effect.fnUntraced(function* (handlers) {
    const { redeem } = yield* SignIn;
    const own = yield* OwnSignIn;
    const ownUrl = yield* OwnSignInUrl;
    const signIn = yield* makeSignIn;
    const { methods, publicUrl } = signIn;
    return handlers
      .handle(
        "signIn",
        Effect.fnUntraced(function* ({ query, request }) {
          if (isPrefetch(request)) return notRedeemed;
          if (query.token === undefined) return yield* signIn.choose(request, query.to);
          const session = yield* redeem(query.token, userAgentOf(request));
          if (Option.isSome(session)) return signIn.opened(query.to, session.value);
          return isBrowser(request) && (yield* signIn.isSignedIn(request))
            ? redirect(returnPath(query.to, publicUrl))
            : signIn.refused(request, LINK_USED);
        })
      )
      .handle("signInMethods", () =>
        Effect.succeed({
          data:
            own === null ? methods.map(({ name, label, isAutomatic }) => ({ name, label, isAutomatic })) : [],
          ownSignIn: own !== null,
          signInUrl: ownUrl
        })
      )
      .handle(
        "beginSignIn",
        Effect.fnUntraced(function* ({ params, query, request }) {
          if (isPrefetch(request)) return notRedeemed;
          const method = signIn.methodOf(params.method);
          return method === undefined
            ? signIn.refused(request, UNKNOWN_METHOD)
            : yield* signIn.begin(request, method, query.to);
        })
      )
      .handle("finishSignIn", ({ params, request }) =>
        isPrefetch(request) ? Effect.succeed(notRedeemed) : signIn.finish(request, params.method)
      );
  })
);
