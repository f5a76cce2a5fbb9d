/** The ways of signing in, and where each begins: it comes back to the screen that one was on. */
import { useQuery } from "@tanstack/preact-query";
import { serverPath } from "../base.ts";
import { keys } from "./cache.ts";
import { winnow } from "./client.ts";

export const useSignInMethods = () =>
  useQuery({
    queryKey: keys.signIn,
    queryFn: ({ signal }) => winnow.session.signInMethods({ signal }),
    staleTime: Infinity
  });

/** `name` null: the page with all of them. */
export const signInPath = (name: string | null): string => {
  const to = encodeURIComponent(location.pathname + location.search);
  return `${serverPath(name === null ? "/sign-in" : `/sign-in/${name}`)}?to=${to}`;
};

const SENT = "winnow.sentToSignIn";
const LEFT = "winnow.left";

/** A way that comes back without a session must not be gone again and again. */
const SENT_AGAIN_AFTER_MS = 10_000;

/** Whoever signed out on purpose is not signed in again before they ask for it. */
export const stayOut = (): void => sessionStorage.setItem(LEFT, "yes");

/** Goes there without being asked, where nobody has to choose. */
export const signInAtOnce = (name: string): void => {
  const sentMs = Number(sessionStorage.getItem(SENT) ?? 0);
  if (sessionStorage.getItem(LEFT) !== null || Date.now() - sentMs < SENT_AGAIN_AFTER_MS) return;
  sessionStorage.setItem(SENT, String(Date.now()));
  location.replace(signInPath(name));
};

/** On a press of the person. */
export const comeIn = (): void => sessionStorage.removeItem(LEFT);
