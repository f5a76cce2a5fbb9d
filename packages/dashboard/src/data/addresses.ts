/** Where the app and the server are: scripts are at <base>app/assets/, so the base path needs no setting. */
// Keeps Vite from bundling the folder as a file.
const { url: HERE } = import.meta;
export const APP = new URL("../", HERE);
export const SERVER = new URL("../", APP);

/** The path of a screen, such as `runs/019a`, with the parameters that are not empty. */
export const href = (
  screen: string,
  parameters: Readonly<Record<string, string | undefined>> = {}
): string => {
  const given = Object.entries(parameters).filter((each): each is [string, string] => Boolean(each[1]));
  return APP.pathname + screen + (given.length === 0 ? "" : `?${new URLSearchParams(given)}`);
};

/** Paths of screens that moved or became part of another: bookmarks, and links in mails and programs, still lead there. */
const MOVED: ReadonlyArray<readonly [from: RegExp, to: string]> = [
  [/^batches$/u, ""],
  [/^batches\/new$/u, "new"],
  // With a query that names the extraction and the schema, as the screen of a schema reads it.
  [/^workbench$/u, "schemas/new"],
  [/^(?:developers|keys)$/u, "developers/keys"],
  [/^webhooks$/u, "developers/webhooks"],
  [/^deliveries\/([^/]+)$/u, "developers/webhooks?delivery=$1"],
  [/^(?:settings|billing)$/u, "settings/usage"],
  [/^account$/u, "settings/account"]
];

/** Where a screen is today, with its query, as `href` takes it; null if it stayed. */
export const movedTo = (screen: string, search = ""): string | null => {
  const path = screen.replace(/\/$/u, "");
  const [from, to] = MOVED.find(([each]) => each.test(path)) ?? [];
  if (from === undefined || to === undefined) return null;
  const moved = path.replace(from, to);
  return moved + (moved.includes("?") ? search.replace("?", "&") : search);
};

/** The URL of a server path, such as `/v1/usage`. */
export const serverPath = (path: string): string => SERVER.pathname + path.replace(/^\//u, "");

/**
 * The same file on the host of the current page: artifact URLs start with the public URL, which the page's policy
 * would block if the app was opened under another name (localhost for 127.0.0.1).
 */
export const ownUrl = (url: string): string => {
  const { pathname, search } = new URL(url, SERVER);
  return pathname + search;
};
