/** Backs up everything a server stores, and restores it to an empty server. */
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import * as Effect from "effect/Effect";
import * as SqlClient from "effect/sql/SqlClient";
import * as Migrations from "../migrations/Migrations.ts";
import {
  type AnnouncedFile,
  ArchiveReader,
  ArchiveWriter,
  BackupFailed,
  belongsToBackup,
  DATA_FILES
} from "./BackupArchive.ts";
import {
  carryOn,
  checkEmpty,
  exportDatabase,
  insertRows,
  prepareEmpty,
  type RowCounts,
  setTriggers,
  tablesInOrder
} from "./DatabaseBackup.ts";

export { BackupFailed };

/** Folders of this machine. */
export interface BackupPlaces {
  readonly dataDir: string;
  /** Null without artifacts: excluded, or stored in a bucket. */
  readonly artifacts: string | null;
}

/** What a backup holds. */
export interface BackupCounts {
  readonly rows: RowCounts;
  /** Artifacts. */
  readonly files: number;
}

const io = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: (cause) => cause as Error });

/** Files in transit are not part of a backup. */
const filesUnder = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("."));
};

/** Whether the file was added. */
const addFile = async (
  writer: ArchiveWriter,
  place: "artifacts" | "data",
  folder: string,
  name: string
): Promise<boolean> => {
  const path = join(folder, name);
  const found = await lstat(path).catch(() => null);
  // Removed meanwhile together with its extraction.
  if (found?.isFile() !== true) return false;
  const announced: AnnouncedFile = { file: name.split(sep).join("/"), place, sizeBytes: found.size };
  // Not written by Winnow; a restore would refuse it.
  if (!belongsToBackup(announced)) return false;
  await writer.add(announced);
  let sentBytes = 0;
  for await (const chunk of createReadStream(path, { end: Math.max(0, found.size - 1) })) {
    if (found.size === 0) break;
    sentBytes += (chunk as Buffer).length;
    await writer.bytes(chunk as Buffer);
  }
  if (sentBytes !== found.size) throw new BackupFailed(`${path} changed while it was copied; try again.`);
  return true;
};

/** Writes one file, which gets its name only once it is complete. The server may be running. */
export const backup = (path: string, places: BackupPlaces) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new ArchiveWriter(path)),
    (writer) =>
      Effect.gen(function* () {
        const rows = yield* exportDatabase(writer);
        for (const file of DATA_FILES) yield* io(() => addFile(writer, "data", places.dataDir, file));
        const { artifacts } = places;
        let files = 0;
        // After the rows, so that every file they name is included.
        for (const file of artifacts === null ? [] : yield* io(() => filesUnder(artifacts))) {
          if (yield* io(() => addFile(writer, "artifacts", artifacts ?? "", file))) files += 1;
        }
        yield* io(() => writer.close());
        return { rows, files } satisfies BackupCounts;
      }),
    (writer) => Effect.promise(() => writer.abandon())
  );

/** Where files are staged until all are complete. */
const WAITING = ".restoring";

/** Staged files of a backup, moved to their places at the end. */
class Arriving {
  readonly #places: BackupPlaces;
  readonly #waiting: Array<{ readonly from: string; readonly to: string }> = [];
  #artifacts = 0;

  constructor(places: BackupPlaces) {
    this.#places = places;
  }

  /** Artifacts in the backup are skipped if they are not wanted. */
  async take(reader: ArchiveReader, { file, place, sizeBytes }: AnnouncedFile): Promise<void> {
    const folder = place === "data" ? this.#places.dataDir : this.#places.artifacts;
    if (folder === null) {
      for await (const _ of reader.bytes(sizeBytes));
      return;
    }
    const from = join(folder, WAITING, file);
    await mkdir(dirname(from), { recursive: true, mode: 0o700 });
    const target = createWriteStream(from, { mode: 0o600, flags: "wx", flush: true });
    await pipeline(reader.bytes(sizeBytes), target).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST" ? new BackupFailed(`The backup has a file twice: ${file}`) : error;
    });
    this.#waiting.push({ from, to: join(folder, file) });
    if (place === "artifacts") this.#artifacts += 1;
  }

  /** Returns the number of artifacts. */
  async settle(): Promise<number> {
    for (const { from, to } of this.#waiting) {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      await rename(from, to);
    }
    return this.#artifacts;
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
  await reader.head();
  for (let entry = await reader.next(); entry !== null; entry = await reader.next()) {
    if ("file" in entry) for await (const _ of reader.bytes(entry.sizeBytes));
  }
};

const restoreEntries = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  reader: ArchiveReader,
  arriving: Arriving
) {
  const tables = yield* tablesInOrder(sql);
  const counts: RowCounts = {};
  yield* setTriggers(sql, false);
  for (;;) {
    const entry = yield* io(() => reader.next());
    if (entry === null) break;
    if ("file" in entry) {
      yield* io(() => arriving.take(reader, entry));
      continue;
    }
    const { table, rows } = entry;
    if (!tables.includes(table)) {
      return yield* Effect.fail(new BackupFailed(`The backup has rows that belong to no backup: ${table}`));
    }
    yield* insertRows(sql, table, rows);
    counts[table] = (counts[table] ?? 0) + rows.length;
  }
  yield* carryOn(sql);
  yield* setTriggers(sql, true);
  return counts;
});

/** All or nothing: tables and rows in one transaction, files moved into place just before the commit. */
export const restore = (path: string, places: BackupPlaces) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    yield* io(() => checkNoFiles(places));
    const reader = new ArchiveReader(path);
    const head = yield* io(() => reader.head());
    const migrations = yield* checkEmpty(head);
    yield* io(() => checkWhole(path));
    const arriving = new Arriving(places);
    const all = Effect.gen(function* () {
      // A restore that was killed may have left some.
      yield* io(() => arriving.clear());
      yield* prepareEmpty(migrations, head);
      const rows = yield* restoreEntries(sql, reader, arriving);
      return { rows, files: yield* io(() => arriving.settle()) } satisfies BackupCounts;
    });
    const counts = yield* sql
      .withTransaction(all)
      .pipe(Effect.ensuring(Effect.promise(() => arriving.clear())));
    yield* Migrations.migrate(migrations);
    return counts;
  });
