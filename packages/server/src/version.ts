/** The version in this package's package.json: one folder up in a checkout, two in a build. */
import { existsSync, readFileSync } from "node:fs";

const manifest = ["../package.json", "../../package.json"]
  .map((path) => new URL(path, import.meta.url))
  .find((path) => existsSync(path));

export const VERSION: string =
  manifest === undefined
    ? "unknown"
    : (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version;
