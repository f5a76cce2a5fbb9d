/** Sizes of the client's entry points as a web page would load them; as a script, also those of comparable clients. */
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** Budgets of minified and gzipped bundles, because pages have to load them. */
export const SIZE_BUDGETS_BYTES: Readonly<Record<string, number>> = {
  index: 12_288,
  admin: 12_288,
  links: 2_048,
  webhooks: 3_072,
  "tools/index": 11_264
};

export interface BundledSize {
  readonly minifiedBytes: number;
  readonly gzipBytes: number;
}

/** Size of all exports of a module, with everything it imports. */
export const bundledSizes = async (file: string): Promise<BundledSize> => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(file)};`, resolveDir: import.meta.dirname },
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["import", "worker"],
    external: ["node:*"],
    minify: true,
    write: false
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return { minifiedBytes: bytes.length, gzipBytes: gzipSync(bytes, { level: 9 }).length };
};

if (import.meta.main) {
  const source = path.resolve(import.meta.dirname, "../src");
  const entries = {
    "@winnow/client": path.join(source, "index.ts"),
    "@winnow/client/admin": path.join(source, "admin.ts"),
    "@winnow/client/webhooks": path.join(source, "webhooks.ts"),
    stripe: "stripe",
    openai: "openai"
  };
  console.log("bundle, minified and gzipped           gzip      minified");
  for (const [name, file] of Object.entries(entries)) {
    const { minifiedBytes, gzipBytes } = await bundledSizes(file);
    const [gzip, minified] = [gzipBytes, minifiedBytes].map((bytes) => `${(bytes / 1_024).toFixed(1)} KiB`);
    console.log(name.padEnd(32), gzip?.padStart(12), minified?.padStart(13));
  }
}
