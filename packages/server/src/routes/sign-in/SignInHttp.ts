/**
 * Sign-in: redeems the operator's links and runs the other methods. Each creates a new session; a browser's
 * previous session is never reused (session fixation). Tests: signIn.test.ts, oidc.test.ts, proxySignIn.test.ts.
 */
import { SignInMethods, type SignInMethod, type SignInRefused } from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { SignInApi } from "./SignInApi.ts";
import { apiOf } from "../../http/handlers.ts";
import { makeAccountChoice } from "./accountChoice.ts";
import { OwnSignIn, OwnSignInUrl, personOf } from "../../http/authentication/webSession.ts";
import { clearPending, readPending, setPending } from "./signInCookies.ts";
import { PublicUrl } from "../../http/PublicUrl.ts";
import { readBytes } from "../../http/JsonBody.ts";
import { makeSignInLinks } from "./signInLinks.ts";
import {
  signInPage,
  isBrowser,
  LINK_USED,
  pageResponse,
  signInErrorOf,
  signInErrorResponse,
  UNKNOWN_METHOD,
  type SignInError
} from "./signInPage.ts";
import { NO_STORE, redirect } from "./signInRedirect.ts";

/** The token is in the query, because paths are logged and queries are not. */
export const signInUrl = (publicUrl: string, token: string): string => `${publicUrl}/sign-in?token=${token}`;

/** The standard header (Fetch, "Sec-Purpose"), and those of older Chromium, Safari and Firefox. */
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** Prefetches only look ahead, and so must not sign anybody in. */
const isPrefetch = ({ method, headers }: Pick<HttpServerRequest, "method" | "headers">): boolean =>
  method === "HEAD" || PURPOSES.some((name) => /prefetch|prerender|preview/iu.test(headers[name] ?? ""));

const notRedeemed = HttpServerResponse.empty({ status: 204, headers: NO_STORE });

const makeSignIn = Effect.gen(function* () {
  const methods = yield* SignInMethods;
  const publicUrl = yield* PublicUrl;
  const choice = yield* makeAccountChoice;
  const admitted = choice.arrive;
  const refused = (request: HttpServerRequest, refusal: SignInError) =>
    signInErrorResponse(request, refusal, { methods, publicUrl });

  const begin = Effect.fnUntraced(
    function* (request: HttpServerRequest, method: SignInMethod, to: string | undefined) {
      const callbackUrl = `${publicUrl}/sign-in/${method.name}/callback`;
      const started = yield* method.begin({ ...personOf(request, publicUrl), callbackUrl });
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

  return { methods, refused, begin, finish, choose, methodOf, choice };
});

/** The fields of a form of our pages, read raw: what is wrong with it is told on a page. @fails as readBytes */
const formOf = (request: HttpServerRequest) =>
  Effect.map(readBytes(request), (bytes) => new URLSearchParams(new TextDecoder().decode(bytes)));

export const layer = HttpApiBuilder.group(
  apiOf(SignInApi),
  "signIn",
  Effect.fnUntraced(function* (handlers) {
    const own = yield* OwnSignIn;
    const ownUrl = yield* OwnSignInUrl;
    const signIn = yield* makeSignIn;
    const links = yield* makeSignInLinks;
    const { methods, choice } = signIn;
    return handlers
      .handle(
        "signIn",
        Effect.fnUntraced(function* ({ query, request }) {
          if (isPrefetch(request)) return notRedeemed;
          return query.token === undefined
            ? yield* signIn.choose(request, query.to)
            : yield* links.open(request, query.token, query.to);
        })
      )
      .handleRaw(
        "confirmSignIn",
        Effect.fnUntraced(function* ({ request }) {
          if (isPrefetch(request)) return notRedeemed;
          return yield* links.confirm(request, yield* formOf(request));
        })
      )
      .handle("signInChoice", ({ query, request }) => choice.show(request, query.to))
      .handleRaw(
        "chooseAccount",
        Effect.fnUntraced(function* ({ request }) {
          if (isPrefetch(request)) return notRedeemed;
          return yield* choice.choose(request, yield* formOf(request));
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
