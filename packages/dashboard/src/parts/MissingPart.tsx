/**
 * Stands where a part of the app could not be fetched: offline, or the server was updated under this page. A page
 * remembers a module that it failed to fetch and never asks for it again (HTML, "fetch a single module script"), so
 * the page is loaded anew as soon as the server answers.
 */
import { useEffect } from "preact/hooks";
import { ConnectionError } from "@winnow/client";
import { Problem } from "./Problem.tsx";

/** Between two questions whether the server answers. */
const ASK_MS = 1_000;
/** A part that is missing in the new page as well reloads it no more often than this. */
const RELOAD_PAUSE_MS = 10_000;
const RELOADED_AT = "winnow.reloadedAt";

/** The event `online` alone does not do: it may come before the network, or before anybody listens. */
const isReachable = async (): Promise<boolean> => {
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
    return true;
  } catch {
    return false;
  }
};

/** Where the server does not answer, the page stays: the browser's own error page would not come back by itself. */
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
