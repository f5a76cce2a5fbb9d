/** Whether somebody is signed in, derived from responses: unknown until the first one. */
import { useEffect, useState } from "preact/hooks";

/** `ended`: the session expired, and what the user typed must be kept. */
type SessionState = "unknown" | "live" | "ended" | "none";

let session: SessionState = "unknown";
const watchers = new Set<(session: SessionState) => void>();

const become = (next: SessionState): void => {
  if (next === session) return;
  session = next;
  for (const watcher of watchers) watcher(next);
};

export const sessionIsLive = (): void => become("live");

/** After a 401. */
export const sessionIsOver = (): void => become(session === "live" || session === "ended" ? "ended" : "none");

/** Signed out deliberately: nothing is kept. */
export const endSession = (): void => become("none");

export const useSession = (): SessionState => {
  const [current, set] = useState(session);
  useEffect(() => {
    watchers.add(set);
    set(session);
    return () => void watchers.delete(set);
  }, []);
  return current;
};
