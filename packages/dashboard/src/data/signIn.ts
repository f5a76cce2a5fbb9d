/** The sign-in methods and their URLs, which return to the current screen. Tests: states.test.ts, members.test.ts. */
import { useQuery } from "@tanstack/preact-query";
import { href, serverPath } from "./addresses.ts";
import { winnow } from "./client.ts";

export const useSignInMethods = () =>
  useQuery({
    queryKey: ["signIn"],
    queryFn: ({ signal }) => winnow.session.signInMethods({ signal }),
    staleTime: Infinity
  });

/** `name` null: the page with all methods. */
export const signInPath = (name: string | null): string => {
  const to = encodeURIComponent(location.pathname + location.search);
  return `${serverPath(name === null ? "/sign-in" : `/sign-in/${name}`)}?to=${to}`;
};

const SENT = "winnow.sentToSignIn";
const SIGNED_OUT = "winnow.signedOut";

/** Prevents a redirect loop if a method returns without a session. */
const SENT_AGAIN_AFTER_MS = 10_000;

/** After a deliberate sign-out, nobody is signed in again automatically. */
export const preventAutomaticSignIn = (): void => sessionStorage.setItem(SIGNED_OUT, "yes");

/** Redirects automatically if there is no choice. */
export const signInAutomatically = (name: string): void => {
  const sentMs = Number(sessionStorage.getItem(SENT) ?? 0);
  if (sessionStorage.getItem(SIGNED_OUT) !== null || Date.now() - sentMs < SENT_AGAIN_AFTER_MS) return;
  sessionStorage.setItem(SENT, String(Date.now()));
  location.replace(signInPath(name));
};

/** When the user clicks. */
export const allowAutomaticSignIn = (): void => sessionStorage.removeItem(SIGNED_OUT);

/** Key of the screen that somebody wanted who had to sign in: a sign-in link opens the list. */
const WANTED = "winnow.wantedScreen";
/** As long as a sign-in link works. */
const WANTED_MS_MAX = 15 * 60_000;

/** Some servers cut off the last slash. */
const isList = (path: string): boolean => path === href("") || `${path}/` === href("");

/** Keeps the address of the current screen over a sign-in by link, unless somebody has just signed out. */
export const rememberScreen = (): void => {
  const path = location.pathname + location.search;
  const isDeliberate = sessionStorage.getItem(SIGNED_OUT) !== null;
  if (!isDeliberate && !isList(path))
    localStorage.setItem(WANTED, JSON.stringify({ path, atMs: Date.now() }));
};

/** The screen that was wanted before the sign-in, once; null without one. */
export const takeWantedScreen = (): string | null => {
  const stored = localStorage.getItem(WANTED);
  localStorage.removeItem(WANTED);
  if (stored === null || !isList(location.pathname + location.search)) return null;
  const { path, atMs } = JSON.parse(stored) as { readonly path: string; readonly atMs: number };
  return Date.now() - atMs < WANTED_MS_MAX ? path : null;
};
