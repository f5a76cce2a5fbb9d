/** Whether somebody is signed in, derived from responses: unknown until the first one. */
import { href } from "./addresses.ts";
import { watched } from "./watched.ts";

/** `ended`: the session expired, and what the user typed must be kept. */
type SessionState = "unknown" | "live" | "ended" | "none";

const session = watched<SessionState>("unknown");

export const useSession = session.useValue;

export const sessionIsLive = (): void => session.set("live");

/** After a 401. */
export const sessionIsOver = (): void =>
  session.set(["live", "ended"].includes(session.get()) ? "ended" : "none");

/** Signed out deliberately: nothing is kept. */
export const endSession = (): void => session.set("none");

/** Key of the screen that somebody wanted who had to sign in: a sign-in link opens the list. */
export const WANTED = "winnow.wantedScreen";
/** As long as a sign-in link works. */
const WANTED_MS_MAX = 15 * 60_000;

/** Some servers cut off the last slash. */
export const isList = (path: string): boolean => path === href("") || `${path}/` === href("");

/** The screen that was wanted before the sign-in, once; null without one. */
export const takeWantedScreen = (): string | null => {
  const stored = localStorage.getItem(WANTED);
  localStorage.removeItem(WANTED);
  if (stored === null || !isList(location.pathname + location.search)) return null;
  const { path, atMs } = JSON.parse(stored) as { readonly path: string; readonly atMs: number };
  return Date.now() - atMs < WANTED_MS_MAX ? path : null;
};
