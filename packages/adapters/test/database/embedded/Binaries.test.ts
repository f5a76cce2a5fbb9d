// @module-tag long
import { chmod, cp, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { checkRuns, findBinaries } from "../../../src/database/embedded/Binaries.ts";
import type { ServerUser } from "../../../src/database/embedded/ServerUser.ts";
import { isRoot, temporaryFolder } from "./Holding.ts";

const someone: ServerUser = { uid: 60999, gid: 60999, name: "user number 60999" };

/** A copy of the package as it is if its install script did not run. */
const bareInstall = (folder: string) =>
  Effect.promise(async () => {
    const native = join(folder, "install", "native");
    const { postgres } = await findBinaries(null, join(folder, "none"));
    await mkdir(dirname(native), { recursive: true });
    await cp(dirname(dirname(postgres)), native, { recursive: true, verbatimSymlinks: true });
    for (const entry of await readdir(join(native, "lib"), { withFileTypes: true })) {
      if (entry.isSymbolicLink()) await rm(join(native, "lib", entry.name));
    }
    return { native, version: "18.4.0-test" };
  });

describe("Binaries", () => {
  it.live("an installation whose script did not run is completed in place", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const install = yield* bareInstall(folder);
      const copies = join(folder, "copies");
      const binaries = yield* Effect.promise(() => findBinaries(null, copies, install));
      assert.strictEqual(binaries.postgres, join(install.native, "bin", "postgres"));
      assert.strictEqual(binaries.major, 18);
      yield* Effect.promise(() => checkRuns(binaries, null));
    })
  );

  it.live.runIf(isRoot)("an installation that the server's user cannot access is copied once", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const install = yield* bareInstall(folder);
      yield* Effect.promise(() => chmod(join(folder, "install"), 0o700));
      const copies = join(folder, "copies");
      const find = Effect.promise(() => findBinaries(someone, copies, install));
      const [binaries, again] = yield* Effect.all([find, find], { concurrency: 2 });
      assert.deepStrictEqual(binaries, again);
      assert.strictEqual(dirname(dirname(dirname(binaries.postgres))), copies);
      yield* Effect.promise(() => checkRuns(binaries, someone));
      assert.lengthOf(yield* Effect.promise(() => readdir(copies)), 1);
      const made = yield* Effect.promise(() => lstat(binaries.postgres));
      yield* find;
      assert.strictEqual((yield* Effect.promise(() => lstat(binaries.postgres))).ino, made.ino);
    })
  );

  it.live.runIf(isRoot)("they are not copied to a folder that others than root can write", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const install = yield* bareInstall(folder);
      const copies = join(folder, "copies");
      yield* Effect.promise(async () => {
        await chmod(join(folder, "install"), 0o700);
        await mkdir(copies);
        await chmod(copies, 0o777);
      });
      const finding = Effect.tryPromise(() => findBinaries(someone, copies, install));
      assert.include(String((yield* Effect.flip(finding)).cause), `chmod 755 ${copies}`);
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(copies)), []);
    })
  );

  it.live("programs for another machine are reported", () =>
    Effect.gen(function* () {
      const gone = { postgres: "/nowhere/postgres", initdb: "/nowhere/initdb", major: 18 };
      const error = yield* Effect.promise(() =>
        checkRuns(gone, null).then(
          () => null,
          (cause: unknown) => cause
        )
      );
      assert.include(String(error), "WINNOW_DATABASE_URL");
    })
  );
});
