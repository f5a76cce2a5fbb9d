/**
 * Who is at a browser: the session of its cookie or of the embedder's sign-in, and whether a page of ours asks.
 * Tests: webSessions.test.ts.
 */
import * as Context from "effect/Context";
import { SESSION_COOKIE, type Session } from "@winnow/core/domain/access/Session";
import { SignIn } from "@winnow/core/engine/accounts/SignIn";
import { SignInMethods, type SignInRequest } from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Option from "effect/Option";
import { PublicUrl } from "../PublicUrl.ts";

// The embedder's own sign-in replaces Winnow's links and cookies. Requests are then web Requests, because there is no
// HTTP listener.

/** The account of a browser's request; null if nobody is signed in. */
export type SessionsOf = (request: Request) => string | null | Promise<string | null>;

export const OwnSignIn = Context.Reference<SessionsOf | null>("@winnow/server/http/OwnSignIn", {
  defaultValue: () => null
});

/** The sign-in page for signed-out users of the web app; null if it is not set. */
export const OwnSignInUrl = Context.Reference<string | null>("@winnow/server/http/OwnSignInUrl", {
  defaultValue: () => null
});

// Whether a request was made by a page of this server: browsers send the session cookie with requests of any page
// (cross-site request forgery). Pure.
//
// Scripts can forge neither header. A browser that sends none of them is too old to be trusted with a cookie.

/** RFC 9110, section 9.2.1: safe methods may come from anywhere. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

interface OriginatedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Sec-Fetch-Site (Fetch Metadata) and Origin (RFC 6454): at least one is present, and neither names another site.
 */
export const isSameOrigin = ({ method, headers }: OriginatedRequest, publicUrl: string): boolean => {
  if (SAFE_METHODS.has(method)) return true;
  const { "sec-fetch-site": site, origin } = headers;
  if (site === undefined && origin === undefined) return false;
  return (
    (site === undefined || site === "same-origin") &&
    (origin === undefined || origin === new URL(publicUrl).origin)
  );
};

// The web session whose cookie a request has, if it is live and still belongs to the person at the browser.

/** The parts of a request that sign-in methods may read. */
export const personOf = (
  { headers, remoteAddress }: HttpServerRequest,
  publicUrl: string
): Omit<SignInRequest, "callbackUrl"> => ({
  headers,
  remoteAddress: Option.getOrNull(remoteAddress),
  publicUrl
});

export const makeLiveSession = Effect.gen(function* () {
  const { authenticate } = yield* SignIn;
  const methods = yield* SignInMethods;
  const publicUrl = yield* PublicUrl;

  /** If the proxy reports another person, the previous person's session is not used. */
  const isStill = (request: HttpServerRequest, { member }: Session): boolean =>
    member === null ||
    methods.every(
      (method) =>
        method.issuer !== member.issuer || method.isStill(personOf(request, publicUrl), member.subject)
    );

  return Effect.fnUntraced(function* (request: HttpServerRequest) {
    const session = yield* authenticate(request.cookies[SESSION_COOKIE] ?? "");
    return Option.filter(session, (found) => isStill(request, found));
  });
});
