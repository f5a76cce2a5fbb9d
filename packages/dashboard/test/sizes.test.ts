/** The sizes of the built files. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { assert, describe, it } from "vitest";

const FIRST_LOAD_BYTES_MAX = 110 * 1_024;
const ALL_BYTES_MAX = 288 * 1_024;

/** Set-up builds it before the tests. */
const APP = path.resolve(import.meta.dirname, "../dist/app");

const gzipped = async (name: string): Promise<number> =>
  gzipSync(await readFile(path.join(APP, name)), { level: 9 }).length;

describe.skipIf(!existsSync(APP))("the built app (skipped if it is not built)", () => {
  it("loads at first no more than 110 KiB, compressed", async () => {
    const page = await readFile(path.join(APP, "index.html"), "utf8");
    const names = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/gu)].map(([, name = ""]) => name);
    assert.isAbove(names.length, 2);
    const sizes = await Promise.all(["index.html", ...names].map(gzipped));
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
    assert.isAtMost(total, FIRST_LOAD_BYTES_MAX, `${total} bytes`);
  });

  it("is no more than 288 KiB in all, compressed", async () => {
    const assets = JSON.parse(await readFile(path.join(APP, "assets.json"), "utf8")) as ReadonlyArray<{
      readonly name: string;
    }>;
    const sizes = await Promise.all(assets.map(({ name }) => gzipped(name)));
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
    assert.isAtMost(total, ALL_BYTES_MAX, `${total} bytes`);
  });

  it("runs nothing inline", async () => {
    const page = await readFile(path.join(APP, "index.html"), "utf8");
    assert.notMatch(page, /<script(?![^>]* src=)|<style| style=| on\w+=/u);
  });
});
