// @module-tag faults: builds the app twice
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { assert, it, onTestFinished } from "vitest";

const run = promisify(execFile);

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

it("the app is the same bytes when it is built again", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "winnow-dashboard-build-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const script = path.resolve(import.meta.dirname, "../scripts/build.ts");
  const [one, two] = ["one", "two"].map((name) => path.join(folder, name)) as [string, string];
  for (const place of [one, two]) await run(process.execPath, [script, place]);
  assert.deepStrictEqual(await filesIn(one), await filesIn(two));
});
