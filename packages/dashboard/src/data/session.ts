/**
 * Whether somebody is signed in, as the answers say: unknown until the first one.
 */
import { useEffect, useState } from "preact/hooks";

/** `ended`: somebody was, and what they typed is to be kept. */
export type Session = "unknown" | "live" | "ended" | "none";

let session: Session = "unknown";
const watchers = new Set<(session: Session) => void>();

const become = (next: Session): void => {
  if (next === session) return;
  session = next;
  for (const watcher of watchers) watcher(next);
};

export const sessionIsLive = (): void => become("live");

/** An answer of 401. */
export const sessionIsOver = (): void => become(session === "live" || session === "ended" ? "ended" : "none");

/** Signed out on purpose: nothing is kept. */
export const sessionIsLeft = (): void => become("none");

export const useSession = (): Session => {
  const [current, set] = useState(session);
  useEffect(() => {
    watchers.add(set);
    set(session);
    return () => void watchers.delete(set);
  }, []);
  return current;
};
