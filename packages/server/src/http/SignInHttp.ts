/**
 * Redeems sign-in links: sets the cookie and goes on to the web app.
 */
import { SignIn } from "@winnow/core/engine/SignIn";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Option from "effect/Option";
import { Api } from "../api/Api.ts";
import { Unauthorized } from "../api/ApiErrors.ts";
import { basePathOf, publicPath, PublicUrl } from "./PublicUrl.ts";
import { setSessionCookie } from "./sessionCookie.ts";

/** The token is in the query: paths are logged, queries are not. */
export const signInUrl = (publicUrl: string, token: string): string => `${publicUrl}/sign-in?token=${token}`;

const spent = () =>
  new Unauthorized({
    error: {
      message:
        "This sign-in link was used already, or is older than 15 minutes; ask your operator for a new one.",
      details: { reason: "link_spent" }
    }
  });

/** A look at the link by a program, for which it is not to be used up. */
const isPrefetch = ({ method, headers }: HttpServerRequest): boolean =>
  method === "HEAD" || (headers["sec-purpose"] ?? headers["purpose"] ?? "").includes("prefetch");

/** Longest path to go on to, in characters. */
const ONWARD_CHARS_MAX = 2_000;

/**
 * A path of this server, with or without the path of its public URL; the home of all others. Browsers read `\\`
 * as `/` and leave tabs out, so what is not plainly a path is none: `//evil.example` is a host.
 */
export const onwardPath = (to: string | undefined, publicUrl: string): string => {
  const isPath =
    to !== undefined && to.length <= ONWARD_CHARS_MAX && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/u.test(to);
  if (!isPath) return publicPath(publicUrl);
  const base = basePathOf(publicUrl);
  const onward = to === base || to.startsWith(`${base}/`) ? to : `${base}${to}`;
  const { origin } = new URL(publicUrl);
  return URL.canParse(onward, publicUrl) && new URL(onward, publicUrl).origin === origin
    ? onward
    : publicPath(publicUrl);
};

const NOT_KEPT = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

export const layer = HttpApiBuilder.group(
  Api,
  "signIn",
  Effect.fnUntraced(function* (handlers) {
    const { redeem } = yield* SignIn;
    const publicUrl = yield* PublicUrl;
    return handlers.handle(
      "signIn",
      Effect.fnUntraced(function* ({ query, request }) {
        if (isPrefetch(request)) return HttpServerResponse.empty({ status: 204, headers: NOT_KEPT });
        const session = yield* redeem(query.token ?? "", request.headers["user-agent"] ?? null);
        if (Option.isNone(session)) return yield* spent();
        const onwards = HttpServerResponse.redirect(onwardPath(query.to, publicUrl), {
          status: 303,
          headers: NOT_KEPT
        });
        return setSessionCookie(onwards, session.value.token, publicUrl);
      })
    );
  })
);
