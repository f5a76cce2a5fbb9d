/** A custom ArtifactStore: files as rows of an SQLite database, up to 1 GB each. */
import { readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { ArtifactStore, type ArtifactKey } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";

const COLUMNS = "run text, attempt int, name text, bytes blob, primary key (run, attempt, name)";
const place = ({ extractionId, attempt, name }: ArtifactKey) => [extractionId, attempt, name] as const;

const make = (path: string): typeof ArtifactStore.Service => {
  const db = new DatabaseSync(path);
  db.exec(`create table if not exists files (${COLUMNS})`);
  const get = db.prepare("select bytes from files where run = ? and attempt = ? and name = ?");
  const find = (key: ArtifactKey) => get.get(...place(key))?.bytes as Uint8Array | undefined;
  const remove = (where: string, ...values: ReadonlyArray<string | number>) =>
    Effect.sync(() => void db.prepare(`delete from files where ${where}`).run(...values));
  return {
    put: Effect.fnUntraced(function* (key, source) {
      const isHere = source._tag === "Bytes";
      const bytes = isHere ? source.bytes : yield* Effect.promise(() => readFile(source.path));
      db.prepare("insert or replace into files values (?, ?, ?, ?)").run(...place(key), bytes);
      return bytes.length;
    }),
    size: (key) => Effect.sync(() => Option.fromUndefinedOr(find(key)?.length)),
    read: (key, range) =>
      Stream.suspend(() => {
        const bytes = find(key);
        if (bytes === undefined) return Stream.die(new Error("no such file"));
        return Stream.make(range === null ? bytes : bytes.subarray(range.start, range.end + 1));
      }),
    removeAttempt: ({ extractionId, attempt }) => remove("run = ? and attempt = ?", extractionId, attempt),
    removeExtractions: (ids) => Effect.forEach(ids, (id) => remove("run = ?", id), { discard: true })
  };
};

export const layer = (path: string) => Layer.sync(ArtifactStore, () => make(path));
