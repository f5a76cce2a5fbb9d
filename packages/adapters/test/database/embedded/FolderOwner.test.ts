import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it, onTestFinished } from "vitest";
import { takeFolder } from "../../../src/database/embedded/FolderOwner.ts";

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "winnow-owner-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

describe("a folder", () => {
  it("has one owner of many that want it at once, again and again", async () => {
    const folder = await newFolder();
    for (let round = 0; round < 5; round++) {
      const all = await Promise.all(Array.from({ length: 12 }, () => takeFolder(folder)));
      const [owner, ...others] = all.filter((taken) => "leave" in taken);
      assert.isDefined(owner);
      assert.isEmpty(others);
      const late = await takeFolder(folder);
      assert.deepNestedInclude(late, { "owner.pid": process.pid, "owner.host": hostname() });
      assert.deepStrictEqual(await readdir(folder), ["owner"]);
      assert.strictEqual((await stat(join(folder, "owner"))).mode & 0o777, 0o600);
      await owner?.leave();
      assert.strictEqual(await readFile(join(folder, "owner"), "utf8"), "");
    }
  });

  it("changes its owner while others still look at the one before", async () => {
    const folder = await newFolder();
    let owners = 0;
    const visit = async (): Promise<void> => {
      for (let done = 0; done < 5;) {
        const taken = await takeFolder(folder);
        if ("owner" in taken) continue;
        owners += 1;
        assert.strictEqual(owners, 1);
        await new Promise((resolve) => setImmediate(resolve));
        owners -= 1;
        await taken.leave();
        done += 1;
      }
    };
    await Promise.all([visit(), visit(), visit(), visit()]);
  });

  it("is free whatever its last owner left in the file, and not while that is locked", async () => {
    for (const left of ["", "not JSON", '{"pid":1,"host":"another","network":"net:[1]"}']) {
      const folder = await newFolder();
      await writeFile(join(folder, "owner"), left);
      const taken = await takeFolder(folder);
      if (!("leave" in taken)) return assert.fail(left);
      await writeFile(join(folder, "owner"), left);
      assert.isTrue("owner" in (await takeFolder(folder)), left);
      await taken.leave();
    }
  });
});
