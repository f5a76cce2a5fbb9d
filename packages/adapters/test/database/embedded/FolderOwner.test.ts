import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it, onTestFinished } from "vitest";
import { takeFolder } from "../../../src/database/embedded/FolderOwner.ts";
import { ownPrefix } from "../../../src/runtime/OwnedFolder.ts";

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "winnow-owner-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

/** What a process of this host left that had this id once. */
const endedOf = (pid: number): string => ownPrefix("owner").replace(/_\d+_\d+_$/u, `_${pid}_1_`);

describe("a folder", () => {
  it("has one owner of many that want it at once, again and again", async () => {
    const folder = await newFolder();
    await writeFile(join(folder, "owner-3"), endedOf(process.pid));
    for (let round = 0; round < 30; round++) {
      const all = await Promise.all(Array.from({ length: 12 }, () => takeFolder(folder)));
      const [owner, ...others] = all.filter((taken) => "leave" in taken);
      assert.isEmpty(others);
      assert.deepStrictEqual(
        all.filter((taken) => taken !== owner),
        Array.from({ length: 11 }, () => ({ ownerPid: process.pid }))
      );
      assert.deepStrictEqual(await readdir(folder), [`owner-${4 + round}`]);
      await owner?.leave();
    }
  });

  it("changes its owner while others still look at the one before", async () => {
    const folder = await newFolder();
    let owners = 0;
    const visit = async (): Promise<void> => {
      for (let done = 0; done < 20;) {
        const taken = await takeFolder(folder);
        if ("ownerPid" in taken) continue;
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

  it("is free if its owner has ended, had this process's id before, or was on another host", async () => {
    const left = ["", endedOf(4_194_000), endedOf(process.pid), "owner_0123456789ab_1_1_", "not a name"];
    for (const owner of left) {
      const folder = await newFolder();
      await writeFile(join(folder, "owner-1"), owner);
      assert.isTrue("leave" in (await takeFolder(folder)), owner);
    }
  });
});
