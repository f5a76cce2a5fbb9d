/** This package's package.json: one folder up in a checkout, two in a build. Tests: metrics.test.ts. */
import { existsSync, readFileSync } from "node:fs";

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

const file = ["../package.json", "../../package.json"]
  .map((path) => new URL(path, import.meta.url))
  .find((path) => existsSync(path));

/** Null in a bundle. */
export const MANIFEST = file === undefined ? null : (JSON.parse(readFileSync(file, "utf8")) as Manifest);

export const VERSION: string = MANIFEST?.version ?? "unknown";
