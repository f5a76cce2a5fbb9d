/**
 * Reads a hundred hostile documents of ten kinds, each in a process of its own that stands for a server: how many of
 * these processes die, how each kind ends, and how long it takes.
 *
 *   node bench/hostile-documents.ts
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { HOSTILE_DOCUMENTS } from "../test/pages/hostileDocuments.ts";
import { readPage } from "../src/pages/reader/index.ts";

const SCALES = Array.from({ length: 10 }, (_, index) => index + 1);

const [only, scale = "1"] = process.argv.slice(2);

const outcomeOf = async (kind: string): Promise<string> => {
  const document = HOSTILE_DOCUMENTS[kind]?.(Number(scale));
  if (document === undefined) throw new Error(`There is no kind "${kind}".`);
  const { bytes, contentType } = document;
  try {
    await readPage(bytes, { url: "https://hostile.test/", contentType });
    return "read";
  } catch (error) {
    return String((error as { readonly reason?: string }).reason);
  }
};

if (only === undefined) {
  let deaths = 0;
  for (const kind of Object.keys(HOSTILE_DOCUMENTS)) {
    const startMs = performance.now();
    const outcomes = SCALES.map((each) => {
      const { status, stdout } = spawnSync(
        process.execPath,
        [fileURLToPath(import.meta.url), kind, String(each)],
        { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }
      );
      return status === 0 ? stdout.trim() : "DEATH";
    });
    deaths += outcomes.filter((outcome) => outcome === "DEATH").length;
    const seconds = (performance.now() - startMs) / 1_000 / SCALES.length;
    console.log(`${kind}: ${outcomes.join(" ")}; ${seconds.toFixed(1)} s each`);
  }
  console.log(`${deaths} of ${Object.keys(HOSTILE_DOCUMENTS).length * SCALES.length} ended their process`);
} else {
  console.log(await outcomeOf(only));
}
