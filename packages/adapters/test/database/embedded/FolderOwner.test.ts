// @module-tag long
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { assert, describe, it, onTestFinished } from "vitest";
import { takeFolder } from "../../../src/database/embedded/FolderOwner.ts";

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "winnow-owner-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

const MODULE = JSON.stringify(new URL("../../../src/database/embedded/FolderOwner.ts", import.meta.url));

/** Takes the folder, starts a program that outlives it, and tells that one's process id; or why it could not. */
const TAKE = `
import { spawn } from "node:child_process";
const { takeFolder } = await import(${MODULE});
await takeFolder(process.argv[1]).then(
  () => console.log(spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).pid),
  (error) => console.log(error.message)
);
setInterval(() => {}, 1000);
`;

const takeElsewhere = async (folder: string, within: ReadonlyArray<string> = []) => {
  const node = [process.execPath, "--input-type=module", "--eval", TAKE, folder];
  const [program = "", ...args] = [...within, ...node];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  for await (const line of createInterface({ input: child.stdout })) return { child, kill, line };
  throw new Error("the process ended without a line");
};

/** Where flock(1) is, hidden from a program: only in namespaces of its own. */
const FLOCK = ["/usr/bin/flock", "/bin/flock"].filter(existsSync);
const HIDING = FLOCK.map((path) => `mount --bind /dev/null ${path}`).join(" && ");
const withoutFlock = ["unshare", "--mount", "sh", "-c", `${HIDING} && exec "$@"`, "sh"];
const canHide = FLOCK.length > 0 && spawnSync("unshare", ["--mount", "sh", "-c", HIDING]).status === 0;

describe("a folder", () => {
  it("is kept by an owner that is stopped, and free once it ends, whatever programs of its live on", async () => {
    const folder = await newFolder();
    const { child, kill, line } = await takeElsewhere(folder);
    const left = Number(line);
    onTestFinished(() => void process.kill(left, "SIGKILL"));
    child.kill("SIGSTOP");
    assert.deepNestedInclude(await takeFolder(folder), { "owner.pid": child.pid });
    await kill();
    assert.isTrue(process.kill(left, 0));
    const taken = await takeFolder(folder);
    if (!("leave" in taken)) return assert.fail("still held");
    await taken.leave();
  });

  it.runIf(canHide)("is not taken on a machine that cannot lock, which is told what to install", async () => {
    const { line } = await takeElsewhere(await newFolder(), withoutFlock);
    assert.match(
      line,
      /could not be locked: flock was not found; install it with: apt-get install -y util-linux$/u
    );
  });

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
