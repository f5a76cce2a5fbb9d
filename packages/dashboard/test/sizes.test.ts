/** The built files: their sizes, and that builds are reproducible. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, assert, beforeAll, describe, it } from "vitest";

const run = promisify(execFile);

const FIRST_LOAD_BYTES_MAX = 48 * 1_024;
const ALL_BYTES_MAX = 140 * 1_024;

let folder = "";

const gzipped = async (name: string): Promise<number> =>
  gzipSync(await readFile(path.join(folder, "one", name)), { level: 9 }).length;

const filesIn = async (place: string): Promise<ReadonlyMap<string, string>> => {
  const names = (await readdir(place, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile()
  );
  const files = names.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return [path.relative(place, file), (await readFile(file)).toString("base64")] as const;
  });
  return new Map((await Promise.all(files)).toSorted(([a], [b]) => a.localeCompare(b)));
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "winnow-dashboard-build-"));
  const script = path.resolve(import.meta.dirname, "../scripts/build.ts");
  for (const name of ["one", "two"]) await run(process.execPath, [script, path.join(folder, name)]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the built app", () => {
  it("loads at first no more than 48 KiB, compressed", async () => {
    const page = await readFile(path.join(folder, "one/index.html"), "utf8");
    const names = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/gu)].map(([, name = ""]) => name);
    assert.isAbove(names.length, 2);
    const sizes = await Promise.all(["index.html", ...names].map(gzipped));
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
    assert.isAtMost(total, FIRST_LOAD_BYTES_MAX, `${total} bytes`);
  });

  it("is no more than 140 KiB in all, compressed", async () => {
    const assets = JSON.parse(await readFile(path.join(folder, "one/assets.json"), "utf8")) as ReadonlyArray<{
      readonly name: string;
    }>;
    const sizes = await Promise.all(assets.map(({ name }) => gzipped(name)));
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
    assert.isAtMost(total, ALL_BYTES_MAX, `${total} bytes`);
  });

  it("is the same bytes when it is built again", async () => {
    assert.deepStrictEqual(await filesIn(path.join(folder, "one")), await filesIn(path.join(folder, "two")));
  });

  it("runs nothing inline", async () => {
    const page = await readFile(path.join(folder, "one/index.html"), "utf8");
    assert.notMatch(page, /<script(?![^>]* src=)|<style| style=| on\w+=/u);
  });
});
