/** Redirects of a sign-in: never cached, and their URL, which may contain a token, never sent on. Tests: signIn.test.ts. */
import type { OpenedSession } from "@winnow/core/engine/accounts/SignIn";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { basePathOf, publicPath } from "../../http/PublicUrl.ts";
import { setSessionCookie } from "./signInCookies.ts";

type Response = HttpServerResponse.HttpServerResponse;

/** Maximum length of a path to return to, in characters. */
const ONWARD_CHARS_MAX = 2_000;

/**
 * Where to go after a sign-in. It comes from a link that anybody can write, so it must stay on this server: a path of
 * it, with or without the path of its public URL; the home page for anything else. Browsers read `\\` as `/` and ignore
 * tabs, so only plain paths are accepted: `//evil.example` is a host.
 */
export const returnPath = (to: string | undefined, publicUrl: string): string => {
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

export const NO_STORE = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

export const redirect = (url: string): Response =>
  HttpServerResponse.redirect(url, { status: 303, headers: NO_STORE });

/** To where the person wanted to go, signed in. */
export const opened = (to: string | undefined, { token }: OpenedSession, publicUrl: string): Response =>
  setSessionCookie(redirect(returnPath(to, publicUrl)), token, publicUrl);
