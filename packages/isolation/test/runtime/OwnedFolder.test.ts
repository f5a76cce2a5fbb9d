// @module-tag long
/** Folders of killed processes, also of those that another container shows. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { assert, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { openOwnedFolder, ownedFolder } from "../../src/runtime/OwnedFolder.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

const MODULE = new URL("../../src/runtime/OwnedFolder.ts", import.meta.url).href;

/** Opens a folder, says where it is, and stays. */
const HOLD = `import { openOwnedFolder } from ${JSON.stringify(MODULE)};
globalThis.held = await openOwnedFolder("test", process.argv[1]);
console.log(held.path);
setInterval(() => {}, 60_000);`;

/** Namespaces of its own, but the same host name: a process of another container, which has the id 1 there. */
const CONTAINED = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];

const holder = Effect.fnUntraced(function* (parent: string, wrapper: ReadonlyArray<string>) {
  const [program = "", ...args] = [...wrapper, process.execPath, "--input-type=module", "-e", HOLD, parent];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")));
  const [path] = yield* Effect.promise(() => once(createInterface(child.stdout), "line"));
  const kill = Effect.promise(async () => {
    child.kill("SIGKILL");
    // The kernel closes its end of the pipe with its locks.
    await once(child, "close");
  });
  return { path: String(path), kill };
});

const isRoot = process.platform === "linux" && process.getuid?.() === 0;

it.live.each(isRoot ? [[], CONTAINED] : [[]])(
  "a folder is kept as long as its process lives, and removed by the next one (%s)",
  (wrapper) =>
    Effect.gen(function* () {
      const parent = temporaryFolder();
      const { path, kill } = yield* holder(parent, wrapper);
      mkdirSync(join(parent, "other-1"));
      mkdirSync(join(path, "files"));
      const mine = yield* ownedFolder("test", parent);
      assert.isTrue(existsSync(join(path, "files")));
      yield* kill;
      const next = yield* ownedFolder("test", parent);
      assert.sameMembers(
        readdirSync(parent).map((name) => join(parent, name)),
        [mine, next, join(parent, "other-1")]
      );
    })
);

it.live("many processes' folders at once are all theirs, and are removed with their scopes", () =>
  Effect.gen(function* () {
    const parent = temporaryFolder();
    yield* Effect.scoped(
      Effect.gen(function* () {
        const folders = yield* Effect.all(
          Array.from({ length: 8 }, () => ownedFolder("test", parent)),
          {
            concurrency: "unbounded"
          }
        );
        assert.isTrue(folders.every((folder) => existsSync(folder)));
      })
    );
    assert.isEmpty(readdirSync(parent));
  })
);

it.live("a folder that is being removed cannot be locked anew", () =>
  Effect.promise(async () => {
    const parent = temporaryFolder();
    const leftover = join(parent, "test-leftover");
    mkdirSync(leftover);
    for (let n = 0; n < 2_000; n++) mkdirSync(join(leftover, String(n)));
    const sweeping = openOwnedFolder("test", parent);
    const owner = join(leftover, "owner");
    while (!existsSync(owner)) await setImmediate();
    while (existsSync(owner)) await setImmediate();
    assert.throws(() => writeFileSync(owner, ""), "ENOENT");
    await (await sweeping).remove();
    assert.isEmpty(readdirSync(parent));
  })
);
