/**
 * The files of the web app from the package @winnow/dashboard: located at start-up, read at the first request.
 * Without the package there is no web app, and everything else works.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** One entry of the package's `assets.json`. */
interface WebAsset {
  /** Path below the app, `assets/index-1a2b3c4d.js`. */
  readonly name: string;
  readonly contentType: string;
  /** Its name changes with its content. */
  readonly isImmutable: boolean;
  /** Available content codings (RFC 9110, section 8.4.1), smallest first. */
  readonly encodings: ReadonlyArray<WebEncoding>;
}

export type WebEncoding = "br" | "gzip";

export interface WebFile extends WebAsset {
  readonly etag: string;
  readonly bytes: Uint8Array;
  readonly encoded: Readonly<Partial<Record<WebEncoding, Uint8Array>>>;
}

export interface WebFiles {
  /** The HTML page of all screens; its links start with `./`. */
  readonly page: () => string;
  readonly file: (name: string) => WebFile | undefined;
}

const PAGE = "index.html";

const SUFFIXES: Readonly<Record<WebEncoding, string>> = { br: ".br", gzip: ".gz" };

export const etagOfBytes = (bytes: Uint8Array | string): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;

const readFile = (folder: string, asset: WebAsset): WebFile => {
  const file = path.join(folder, asset.name);
  const bytes = readFileSync(file);
  const encoded = Object.fromEntries(
    asset.encodings.map((encoding) => [encoding, readFileSync(`${file}${SUFFIXES[encoding]}`)])
  );
  return { ...asset, bytes, encoded, etag: etagOfBytes(bytes) };
};

/** All files of a folder with an `assets.json`: less than 1 MB, kept in memory after the first request. */
export const webFilesOf = (folder: string): WebFiles => {
  let read: ReadonlyMap<string, WebFile> | undefined;
  const files = (): ReadonlyMap<string, WebFile> => {
    if (read !== undefined) return read;
    const assets = JSON.parse(
      readFileSync(path.join(folder, "assets.json"), "utf8")
    ) as ReadonlyArray<WebAsset>;
    read = new Map(assets.map((asset) => [asset.name, readFile(folder, asset)]));
    return read;
  };
  return {
    page: () => Buffer.from(files().get(PAGE)?.bytes ?? []).toString("utf8"),
    file: (name) => (name === PAGE ? undefined : files().get(name))
  };
};

/** How it is told that there is none. */
export const NO_WEB_APP = "not built: /app/ answers 404";

/** Only a checkout has sources. */
export const WEB_APP_REMEDY = import.meta.url.endsWith(".ts")
  ? `npm --prefix ${path.join(import.meta.dirname, "../../../..")} run setup`
  : "npm install @winnow/dashboard";

/** Those of the installed package; null without one, or if it is not built. */
export const findWebFiles = (): WebFiles | null => {
  try {
    const list = createRequire(import.meta.url).resolve("@winnow/dashboard/assets.json");
    return existsSync(list) ? webFilesOf(path.dirname(list)) : null;
  } catch {
    return null;
  }
};
