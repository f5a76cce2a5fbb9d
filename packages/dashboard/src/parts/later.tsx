/** A lazily loaded part of the app. */
import { ConnectionError } from "@winnow/client";
import type { ComponentType } from "preact";
import { lazy } from "preact-iso";
import { useEffect } from "preact/hooks";
import { Problem } from "./Waiting.tsx";

// Shown if a module of the app could not be loaded: offline, or the server was updated meanwhile. A page never
// retries a module that failed to load (HTML, "fetch a single module script"), so the page is reloaded once the
// server responds.

/** Interval of checks whether the server responds. */
const ASK_MS = 1_000;
/** Minimum interval of reloads, in case the module is missing after a reload too. */
const RELOAD_PAUSE_MS = 10_000;
const RELOADED_AT = "winnow.reloadedAt";

/** The `online` event alone is not enough: it may fire before the network works, or before anybody listens. */
const isReachable = async (): Promise<boolean> => {
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
    return true;
  } catch {
    return false;
  }
};

/** Without a response the page is not reloaded, because the browser's error page would not recover by itself. */
const reload = async (): Promise<void> => {
  if (!(await isReachable())) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
};

const mayReload = (): boolean =>
  Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) > RELOAD_PAUSE_MS;

const MissingPart = ({ cause }: { readonly cause: unknown }) => {
  useEffect(() => {
    const timer = setInterval(() => {
      if (mayReload()) void reload();
    }, ASK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Problem
      error={new ConnectionError("A part of the app could not be fetched.", { cause })}
      retry={() => void reload()}
    />
  );
};

/** A part of the app that is loaded when it is first shown. */
export const later = <Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>
): ComponentType<Props> =>
  lazy(() => load().catch((cause: unknown) => ({ default: () => <MissingPart cause={cause} /> })));
