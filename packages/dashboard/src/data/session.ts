/** Whether somebody is signed in, derived from responses: unknown until the first one. Tests: browser.test.ts. */
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
