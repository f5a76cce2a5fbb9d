/** A lazily loaded part of the app, with its styles. */
import { useEffect, useState } from "preact/hooks";
import { ConnectionError } from "@winnow/client";
import { Problem } from "./Waiting.tsx";
import { h, type ComponentType, type FunctionComponent } from "preact";

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

export const MissingPart = ({ cause }: { readonly cause: unknown }) => {
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

/** Their styles are loaded with the first part. */
export const loadPart = async <Part,>(load: () => Promise<Part>): Promise<Part> => {
  const [part] = await Promise.all([load(), import("../styles/later.css")]);
  return part;
};

/** Renders nothing until it is loaded, and `MissingPart` if loading fails. */
export const later = <Props extends object>(
  load: () => Promise<ComponentType<Props>>
): FunctionComponent<Props> => {
  let loaded: ComponentType<Props> | null = null;
  return (props) => {
    const [cause, setCause] = useState<unknown>(null);
    const [, draw] = useState(false);
    const fetchIt = async (): Promise<void> => {
      try {
        loaded = await loadPart(load);
        draw(true);
      } catch (failed) {
        setCause(failed);
      }
    };
    useEffect(() => {
      if (loaded === null) void fetchIt();
    }, []);
    if (loaded !== null) return h(loaded, props);
    return cause === null ? null : (
      <div class="missing">
        <MissingPart cause={cause} />
      </div>
    );
  };
};
