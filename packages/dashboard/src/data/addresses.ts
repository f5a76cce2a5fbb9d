/** Where the app and the server are: scripts are at <base>app/assets/, so the base path needs no setting. Tests: mounted.test.ts. */
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
