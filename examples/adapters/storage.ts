/** A custom ArtifactStore: files as rows of an SQLite database, up to 1 GB each. */
import { readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import type { ArtifactKey } from "@winnow/core/ports/ArtifactStore";
import type { PromiseArtifacts } from "@winnow/server";

const COLUMNS = "run text, attempt int, name text, bytes blob, primary key (run, attempt, name)";
const place = ({ extractionId, attempt, name }: ArtifactKey) => [extractionId, attempt, name] as const;

export const storage = (path: string): PromiseArtifacts => {
  const db = new DatabaseSync(path);
  db.exec(`create table if not exists files (${COLUMNS})`);
  const get = db.prepare("select bytes from files where run = ? and attempt = ? and name = ?");
  const find = (key: ArtifactKey) => get.get(...place(key))?.bytes as Uint8Array | undefined;
  const removal = db.prepare("delete from files where run = ? and attempt = ?");
  return {
    put: async (key, source, signal) => {
      const isHere = source._tag === "Bytes";
      const bytes = isHere ? source.bytes : await readFile(source.path, { signal });
      db.prepare("insert or replace into files values (?, ?, ?, ?)").run(...place(key), bytes);
      return bytes.length;
    },
    size: async (key) => find(key)?.length ?? null,
    async *read(key, range) {
      const bytes = find(key);
      if (bytes === undefined) throw new Error("no such file");
      yield range === null ? bytes : bytes.subarray(range.start, range.end + 1);
    },
    removeAttempt: async ({ extractionId, attempt }) => void removal.run(extractionId, attempt)
  };
};
