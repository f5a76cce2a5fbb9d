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
import { publicPath, PublicUrl } from "./PublicUrl.ts";
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
const isLookOnly = ({ method, headers }: HttpServerRequest): boolean =>
  method === "HEAD" || (headers["sec-purpose"] ?? headers["purpose"] ?? "").includes("prefetch");

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
        if (isLookOnly(request)) return HttpServerResponse.empty({ status: 204, headers: NOT_KEPT });
        const session = yield* redeem(query.token ?? "");
        if (Option.isNone(session)) return yield* spent();
        const onwards = HttpServerResponse.redirect(publicPath(publicUrl), {
          status: 303,
          headers: NOT_KEPT
        });
        return setSessionCookie(onwards, session.value.token, publicUrl);
      })
    );
  })
);
