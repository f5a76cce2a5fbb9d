/**
 * Builds the web app into dist/app: hashed files, each beside its gzip and Brotli twin, and `assets.json`, which
 * tells the server what there is.
 *
 *   node packages/dashboard/scripts/build.ts [FOLDER]
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";

const PACKAGE = path.resolve(import.meta.dirname, "..");
const OUTPUT = path.resolve(process.argv[2] ?? path.join(PACKAGE, "dist/app"));

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml"
};

/** Smaller files gain nothing: a packet is a packet. */
const COMPRESSED_BYTES_MIN = 512;

const brotli = (bytes: Uint8Array): Uint8Array =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });

const writeAsset = (name: string) => {
  const file = path.join(OUTPUT, name);
  const bytes = readFileSync(file);
  const contentType = CONTENT_TYPES[path.extname(name)];
  if (contentType === undefined) throw new Error(`${name}: its type is unknown to scripts/build.ts`);
  // The server makes the page's links fit each screen: it has no twin.
  const isCompressed = bytes.length >= COMPRESSED_BYTES_MIN && name !== "index.html";
  if (isCompressed) {
    writeFileSync(`${file}.br`, brotli(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
  return {
    name,
    contentType,
    isImmutable: name.startsWith("assets/"),
    encodings: isCompressed ? ["br", "gzip"] : []
  };
};

// The same build in every environment: Vite would otherwise add what helps while developing.
process.env["NODE_ENV"] = "production";
await build({ configFile: path.join(PACKAGE, "vite.config.ts"), build: { outDir: OUTPUT } });
const names = globSync("**/*.{html,js,css,svg}", { cwd: OUTPUT }).toSorted();
writeFileSync(path.join(OUTPUT, "assets.json"), `${JSON.stringify(names.map(writeAsset), null, 1)}\n`);
