/**
 * Where the app and the server lie: scripts are at <base>app/assets/, so no setting says what the base is.
 */
// Vite must not take the folder for a file to bundle.
const { url: HERE } = import.meta;
export const APP = new URL("../", HERE);
export const SERVER = new URL("../", APP);

/** The address of a screen, `runs/019a` for instance. */
export const href = (screen: string): string => APP.pathname + screen;

/** Of a path of the server, `/v1/events` for instance. */
export const serverPath = (path: string): string => SERVER.pathname + path.replace(/^\//u, "");

/**
 * The same file on the host that the page came from: artifact URLs begin with the public URL, and whoever opened
 * the app at another name (localhost for 127.0.0.1) would have them refused by the page's policy.
 */
export const ownUrl = (url: string): string => {
  const { pathname, search } = new URL(url, SERVER);
  return pathname + search;
};
