/** Redirects of a sign-in: never cached, and their URL, which may contain a token, never sent on. */
import type { OpenedSession } from "@winnow/core/engine/accounts/SignIn";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { returnPath } from "./returnPath.ts";
import { setSessionCookie } from "./sessionCookie.ts";

type Response = HttpServerResponse.HttpServerResponse;

export const NO_STORE = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

export const redirect = (url: string): Response =>
  HttpServerResponse.redirect(url, { status: 303, headers: NO_STORE });

/** To where the person wanted to go, signed in. */
export const opened = (to: string | undefined, { token }: OpenedSession, publicUrl: string): Response =>
  setSessionCookie(redirect(returnPath(to, publicUrl)), token, publicUrl);
