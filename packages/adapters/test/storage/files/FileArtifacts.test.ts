import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import { assert, describe, it } from "@effect/vitest";
import { type ArtifactKey, ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { suite } from "@winnow/testing/suites/ArtifactStoreSuite";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import { layer } from "../../../src/storage/files/FileArtifacts.ts";

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-artifacts-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
);

suite(
  "files",
  Layer.merge(
    Layer.unwrap(Effect.map(temporaryFolder, (directory) => layer({ directory }))),
    NodeFileSystem.layer
  )
);

const key: ArtifactKey = { extractionId: "ext_1", attempt: 1, name: "video.mp4" };

const putText = (at: ArtifactKey, text: string) =>
  ArtifactStore.use((store) => store.put(at, { _tag: "Bytes", bytes: Buffer.from(text) }));

const putFile = (at: ArtifactKey, path: string) =>
  ArtifactStore.use((store) => store.put(at, { _tag: "LocalFile", path }));

const sizeOf = (at: ArtifactKey) => ArtifactStore.use((store) => store.size(at));

const readText = (at: ArtifactKey) =>
  ArtifactStore.use((store) => Stream.runCollect(store.read(at, null))).pipe(
    Effect.map((chunks) => Buffer.concat(chunks).toString("utf8"))
  );

const filesBelow = (folder: string) =>
  Effect.promise(async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
  );

/** Runs with a store in the folder `store` of a new folder. */
const inFolder = <A, E>(use: (folder: string) => Effect.Effect<A, E, ArtifactStore>) =>
  Effect.scoped(
    Effect.flatMap(temporaryFolder, (folder) =>
      Effect.provide(use(folder), layer({ directory: join(folder, "store") }))
    )
  );

describe("FileArtifacts", () => {
  const outside: ReadonlyArray<Partial<ArtifactKey>> = [
    { name: "../video.mp4" },
    { name: "../../../escaped" },
    { name: "/etc/passwd" },
    { name: "a/b" },
    { name: "a\\b" },
    { name: ".." },
    { name: "." },
    { name: "" },
    { name: ".hidden" },
    { name: "video.mp4\u0000.txt" },
    { name: "vidéo.mp4" },
    { name: "vide\u0301o.mp4" },
    { name: "x".repeat(256) },
    { extractionId: ".." },
    { extractionId: ".transit" },
    { extractionId: "" },
    { extractionId: "a/../b" },
    { attempt: -1 },
    { attempt: 1.5 },
    { attempt: Number.NaN }
  ];

  it.effect.each(outside)("the key with %j is rejected, and nothing is stored under it", (part) =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const refused = { ...key, ...part };
        assert.isTrue(Exit.hasDies(yield* Effect.exit(putText(refused, "x"))));
        assert.deepStrictEqual(yield* sizeOf(refused), Option.none());
        assert.isTrue(Exit.hasDies(yield* Effect.exit(readText(refused))));
        assert.deepStrictEqual(yield* filesBelow(folder), []);
      })
    )
  );

  it.effect("ids that name other folders remove nothing", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        yield* putText(key, "x");
        yield* Effect.promise(() => writeFile(join(folder, "beside"), "x"));
        for (const extractionId of ["..", ".", "", "ext_1/..", ".transit"]) {
          yield* store.removeAttempt({ extractionId, attempt: 1 });
        }
        assert.lengthOf(yield* filesBelow(folder), 2);
      })
    )
  );

  it.effect("symbolic links in the folder are neither read nor written through", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const secret = join(folder, "secret");
        yield* Effect.promise(async () => {
          await mkdir(join(secret, "1"), { recursive: true });
          await writeFile(join(secret, "1", "video.mp4"), "secret");
          await symlink(secret, join(folder, "store", "ext_link"));
          await mkdir(join(folder, "store", "ext_1", "1"), { recursive: true });
          await symlink(join(secret, "1", "video.mp4"), join(folder, "store", "ext_1", "1", "audio.m4a"));
        });
        for (const linked of [
          { ...key, extractionId: "ext_link" },
          { ...key, name: "audio.m4a" }
        ]) {
          assert.deepStrictEqual(yield* sizeOf(linked), Option.none());
          assert.isTrue(Exit.hasDies(yield* Effect.exit(readText(linked))));
        }
        assert.isTrue(Exit.hasDies(yield* Effect.exit(putText({ ...key, extractionId: "ext_link" }, "x"))));
        // A link with that name is replaced; its target is unchanged.
        yield* putText({ ...key, name: "audio.m4a" }, "ours");
        assert.strictEqual(yield* readText({ ...key, name: "audio.m4a" }), "ours");
        const content = yield* Effect.promise(() => readFile(join(secret, "1", "video.mp4"), "utf8"));
        assert.strictEqual(content, "secret");
      })
    )
  );

  it.effect("a local file is moved, not copied", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const source = join(folder, "download.mp4");
        yield* Effect.promise(() => writeFile(source, "film"));
        const before = yield* Effect.promise(() => stat(source));
        assert.strictEqual(yield* putFile(key, source), 4);
        const [stored = ""] = yield* filesBelow(folder);
        assert.strictEqual((yield* Effect.promise(() => stat(stored))).ino, before.ino);
        assert.strictEqual(yield* readText(key), "film");
      })
    )
  );

  it.effect("a local file with a second hard link is copied, so that the stored file cannot change", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const source = join(folder, "download.mp4");
        const second = join(folder, "second.mp4");
        yield* Effect.promise(() => writeFile(source, "film"));
        yield* Effect.promise(() => link(source, second));
        yield* putFile(key, source);
        yield* Effect.promise(() => writeFile(second, "other"));
        assert.strictEqual(yield* readText(key), "film");
        assert.lengthOf(yield* filesBelow(join(folder, "store")), 1);
      })
    )
  );

  it.effect("a local file on another device is copied", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const elsewhere = yield* Effect.promise(() => stat("/dev/shm").catch(() => null));
        const here = yield* Effect.promise(() => stat(folder));
        // Only on machines where /dev/shm is another device.
        if (elsewhere === null || elsewhere.dev === here.dev) return;
        const source = `/dev/shm/winnow-artifact-${process.pid}`;
        yield* Effect.promise(() => writeFile(source, "film"));
        assert.strictEqual(yield* putFile(key, source), 4);
        assert.strictEqual(yield* readText(key), "film");
        assert.isNull(yield* Effect.promise(() => stat(source).catch(() => null)));
      })
    )
  );

  it.effect("a local file that is a symbolic link or a folder is refused", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        yield* Effect.promise(() => symlink("/etc/hostname", join(folder, "link")));
        assert.isTrue(Exit.hasDies(yield* Effect.exit(putFile(key, join(folder, "link")))));
        assert.isTrue(Exit.hasDies(yield* Effect.exit(putFile(key, folder))));
        assert.deepStrictEqual(yield* sizeOf(key), Option.none());
      })
    )
  );

  it.live("a process killed during puts leaves complete files or none", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const directory = join(folder, "store");
      yield* Effect.promise(async () => {
        const program = fileURLToPath(new URL("putter.ts", import.meta.url));
        const child = spawn(process.execPath, [program, directory], { stdio: ["ignore", "pipe", "inherit"] });
        await once(child.stdout, "data");
        child.kill("SIGKILL");
        await once(child, "exit");
      });
      const stored = yield* filesBelow(join(directory, "ext_killed"));
      const contents = yield* Effect.promise(() => Promise.all(stored.map((path) => readFile(path))));
      assert.isAbove(contents.length, 0);
      for (const content of contents) {
        assert.strictEqual(content.byteLength, 4 * 1024 * 1024);
        assert.isTrue(content.every((byte) => byte === content[0]));
      }
    })
  );

  it.effect("incomplete files of a crash are removed at a later start, recent ones are kept", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder;
      const open = Effect.provide(ArtifactStore, layer({ directory }));
      yield* open;
      const [old, fresh] = [join(directory, ".transit", "old"), join(directory, ".transit", "fresh")];
      yield* Effect.promise(async () => {
        await Promise.all([old, fresh].map((path) => writeFile(path, "x")));
        await utimes(old, 0, 0);
      });
      yield* open;
      assert.deepStrictEqual(yield* filesBelow(directory), [fresh]);
    })
  );

  it.effect("removing the last attempt also removes the folder of its extraction", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        yield* putText(key, "x");
        yield* putText({ ...key, attempt: 2 }, "x");
        const left = Effect.promise(() => readdir(join(folder, "store")));
        yield* store.removeAttempt(key);
        assert.deepStrictEqual((yield* left).sort(), [".transit", "ext_1"]);
        yield* store.removeAttempt({ ...key, attempt: 2 });
        assert.deepStrictEqual(yield* left, [".transit"]);
      })
    )
  );

  it.effect("a reader keeps its original content while the file is replaced", () =>
    inFolder(() =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        const size = 3 * 1024 * 1024;
        yield* store.put(key, { _tag: "Bytes", bytes: new Uint8Array(size).fill(1) });
        const seen = yield* store.read(key, null).pipe(
          Stream.mapEffect((chunk) =>
            Effect.as(
              putText(key, "new"),
              chunk.every((byte) => byte === 1)
            )
          ),
          Stream.runCollect
        );
        assert.deepStrictEqual(seen, [true, true, true]);
        assert.strictEqual(yield* readText(key), "new");
      })
    )
  );

  it.effect("readers that stop early leave no file open", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore;
        yield* store.put(key, { _tag: "Bytes", bytes: new Uint8Array(3 * 1024 * 1024) });
        const [stored = ""] = yield* filesBelow(folder);
        const { ino } = yield* Effect.promise(() => stat(stored));
        // Counts only descriptors of this file, because the process may open others meanwhile.
        const timesOpen = Effect.promise(async () => {
          const open = (await readdir("/dev/fd")).map((name) => stat(`/dev/fd/${name}`).catch(() => null));
          return (await Promise.all(open)).filter((found) => found?.ino === ino).length;
        });
        yield* store.read(key, null).pipe(
          Stream.take(1),
          Stream.runForEach(() => Effect.map(timesOpen, (times) => assert.strictEqual(times, 1)))
        );
        for (let time = 0; time < 20; time += 1) {
          yield* store.read(key, null).pipe(Stream.take(1), Stream.runDrain);
        }
        assert.strictEqual(yield* timesOpen, 0);
      })
    )
  );
});
