/**
 * The embedder's own sign-in, which replaces Winnow's links and cookies. Requests are then web
 * Requests, because there is no HTTP listener.
 */
import * as Context from "effect/Context";

/** The account of a browser's request; null if nobody is signed in. */
export type SessionsOf = (request: Request) => string | null | Promise<string | null>;

export const OwnSignIn = Context.Reference<SessionsOf | null>(
  "@winnow/server/http/authentication/OwnSignIn",
  {
    defaultValue: () => null
  }
);

/** The sign-in page for signed-out users of the web app; null if it is not set. */
export const OwnSignInUrl = Context.Reference<string | null>("@winnow/server/http/OwnSignInUrl", {
  defaultValue: () => null
});
