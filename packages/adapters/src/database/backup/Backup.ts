/** Backs up everything a server stores, and restores it to an empty server. */
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import * as Effect from "effect/Effect";
import * as SqlClient from "effect/sql/SqlClient";
import * as Migrations from "../migrations/Migrations.ts";
import { ArchiveReader, ArchiveWriter, BackupFailed } from "./BackupArchive.ts";
import {
  carryOn,
  checkEmpty,
  exportDatabase,
  insertRows,
  isTableName,
  prepareEmpty,
  setTriggers
} from "./DatabaseBackup.ts";

export { BackupFailed };

/** Folders of this machine. */
export interface BackupPlaces {
  readonly dataDir: string;
  /** Null without artifacts: excluded, or stored in a bucket. */
  readonly artifacts: string | null;
}

/** Files of the data folder. Without the second one, the next start would create a first account. */
const DATA_FILES = ["admin-token", "first-account.json"];

const io = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: (cause) => cause as Error });

/** Files in transit are not part of a backup. */
const filesUnder = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("."));
};

const addFile = async (
  writer: ArchiveWriter,
  place: "artifacts" | "data",
  folder: string,
  file: string
): Promise<void> => {
  const path = join(folder, file);
  const found = await lstat(path).catch(() => null);
  // Removed meanwhile together with its extraction.
  if (found?.isFile() !== true) return;
  await writer.add({ file: file.split(sep).join("/"), place, sizeBytes: found.size });
  let sentBytes = 0;
  for await (const chunk of createReadStream(path, { end: Math.max(0, found.size - 1) })) {
    if (found.size === 0) break;
    sentBytes += (chunk as Buffer).length;
    await writer.bytes(chunk as Buffer);
  }
  if (sentBytes !== found.size) throw new BackupFailed(`${path} changed while it was copied; try again.`);
};

/** Writes one file, which gets its name only once it is complete. The server may be running. */
export const backup = (path: string, places: BackupPlaces) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new ArchiveWriter(path)),
    (writer) =>
      Effect.gen(function* () {
        yield* exportDatabase(writer);
        for (const file of DATA_FILES) yield* io(() => addFile(writer, "data", places.dataDir, file));
        const { artifacts } = places;
        // After the rows, so that every file they name is included.
        for (const file of artifacts === null ? [] : yield* io(() => filesUnder(artifacts))) {
          yield* io(() => addFile(writer, "artifacts", artifacts ?? "", file));
        }
        yield* io(() => writer.close());
      }),
    (writer) => Effect.promise(() => writer.abandon())
  );

const isInside = (file: string): boolean =>
  file.split("/").every((part) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/u.test(part));

/** Where files are staged until all are complete. */
const WAITING = ".restoring";

/** Staged files of a backup, moved to their places at the end. */
class Arriving {
  readonly #places: BackupPlaces;
  readonly #waiting: Array<{ readonly from: string; readonly to: string }> = [];

  constructor(places: BackupPlaces) {
    this.#places = places;
  }

  /** Artifacts in the backup are skipped if they are not wanted. */
  async take(
    reader: ArchiveReader,
    place: "artifacts" | "data",
    file: string,
    sizeBytes: number
  ): Promise<void> {
    const folder = place === "data" ? this.#places.dataDir : this.#places.artifacts;
    if (!isInside(file))
      throw new BackupFailed(`The backup names a file that does not belong to it: ${file}`);
    if (folder === null) {
      for await (const _ of reader.bytes(sizeBytes));
      return;
    }
    const from = join(folder, WAITING, file);
    await mkdir(dirname(from), { recursive: true, mode: 0o700 });
    await pipeline(
      reader.bytes(sizeBytes),
      createWriteStream(from, { mode: 0o600, flags: "w", flush: true })
    );
    this.#waiting.push({ from, to: join(folder, file) });
  }

  async settle(): Promise<void> {
    for (const { from, to } of this.#waiting) {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      await rename(from, to);
    }
  }

  async clear(): Promise<void> {
    for (const folder of [this.#places.dataDir, this.#places.artifacts]) {
      if (folder !== null) await rm(join(folder, WAITING), { recursive: true, force: true });
    }
  }
}

const checkNoFiles = async ({ artifacts }: BackupPlaces): Promise<void> => {
  if (artifacts === null || (await filesUnder(artifacts)).length === 0) return;
  throw new BackupFailed(`${artifacts} already has files; a backup can only be restored to an empty folder.`);
};

/** Reads the backup up to its checksum first, so that a damaged one is rejected before anything changes. */
const checkWhole = async (path: string): Promise<void> => {
  const reader = new ArchiveReader(path);
  for (let entry = await reader.next(); entry !== null; entry = await reader.next()) {
    if ("file" in entry) for await (const _ of reader.bytes(entry.sizeBytes));
  }
};

const restoreRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  reader: ArchiveReader,
  arriving: Arriving
) {
  yield* setTriggers(sql, false);
  for (;;) {
    const entry = yield* io(() => reader.next());
    if (entry === null) break;
    if ("table" in entry) {
      const { table, rows } = entry;
      if (!isTableName(table)) return yield* Effect.fail(new BackupFailed("The backup is damaged."));
      yield* insertRows(sql, table, rows.map(String));
    } else if ("file" in entry) {
      yield* io(() => arriving.take(reader, entry.place, entry.file, entry.sizeBytes));
    }
  }
  yield* carryOn(sql);
  yield* setTriggers(sql, true);
});

/** All or nothing: rows in one transaction, files moved into place just before the commit. */
export const restore = (path: string, places: BackupPlaces) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    yield* io(() => checkNoFiles(places));
    const reader = new ArchiveReader(path);
    const head = yield* io(() => reader.next());
    if (head === null || !("winnowBackup" in head)) {
      return yield* Effect.fail(new BackupFailed("This is not a backup of Winnow."));
    }
    const migrations = yield* checkEmpty(head);
    yield* io(() => checkWhole(path));
    yield* prepareEmpty(migrations, head);
    const arriving = new Arriving(places);
    const all = Effect.andThen(
      restoreRows(sql, reader, arriving),
      io(() => arriving.settle())
    );
    yield* sql.withTransaction(all).pipe(Effect.ensuring(Effect.promise(() => arriving.clear())));
    yield* Migrations.migrate(migrations);
  });
