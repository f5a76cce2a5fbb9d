/** A lazily loaded part of the app. Tests: states.test.ts. */
import { useQuery } from "@tanstack/preact-query";
import { ConnectionError } from "@winnow/client";
import type { ComponentType } from "preact";
import { lazy } from "preact-iso";
import { Problem } from "./Waiting.tsx";

// Shown if a module of the app could not be loaded: offline, or the server was updated meanwhile. A page never
// retries a module that failed to load (HTML, "fetch a single module script"), so the page is reloaded once the
// server responds. The `online` event alone is not enough: it may fire before the network works.

/** Interval of checks whether the server responds. */
const ASK_MS = 1_000;
/** Minimum interval of reloads, in case the module is missing after a reload too. */
const RELOAD_PAUSE_MS = 10_000;
const RELOADED_AT = "winnow.reloadedAt";

/** Fails without a response: the browser's error page would not recover by itself. */
const reload = async (): Promise<null> => {
  await fetch(location.href, { method: "HEAD", cache: "no-store" });
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) > RELOAD_PAUSE_MS) {
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    location.reload();
  }
  return null;
};

const MissingPart = ({ cause }: { readonly cause: unknown }) => {
  const { refetch } = useQuery({
    queryKey: ["reload"],
    queryFn: reload,
    retry: false,
    refetchInterval: ASK_MS
  });
  const error = new ConnectionError("A part of the app could not be fetched.", { cause });
  return <Problem error={error} retry={() => void refetch()} />;
};

/** A part of the app that is loaded when it is first shown. */
export const later = <Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>
): ComponentType<Props> =>
  lazy(() => load().catch((cause: unknown) => ({ default: () => <MissingPart cause={cause} /> })));
