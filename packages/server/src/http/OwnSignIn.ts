/**
 * The sign-in of whoever embeds the server (contract 10): it takes the place of our links and cookies.
 * Requests are then web Requests: we run no listener.
 */
import * as Context from "effect/Context";

/** The account that a browser's request comes from; null when nobody is signed in. */
export type SessionsOf = (request: Request) => string | null | Promise<string | null>;

export const OwnSignIn = Context.Reference<SessionsOf | null>("@winnow/server/http/OwnSignIn", {
  defaultValue: () => null
});

/** The sign-in page for signed-out users of the web app; null if it is not set. */
export const OwnSignInUrl = Context.Reference<string | null>("@winnow/server/http/OwnSignInUrl", {
  defaultValue: () => null
});
