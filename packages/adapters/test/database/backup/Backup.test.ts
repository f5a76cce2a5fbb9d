// @module-tag long
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as SqlClient from "effect/sql/SqlClient";
import { backup, BackupFailed, restore } from "../../../src/database/backup/Backup.ts";
import * as PgConnection from "../../../src/database/store/PgConnection.ts";
import { TestPostgres } from "../store/TestPostgres.ts";

/** The archive with these lines before its last one, which is the checksum of all others. */
const withLines = (archive: Buffer, lines: ReadonlyArray<unknown>): Buffer => {
  const whole = gunzipSync(archive).toString();
  const kept = whole.slice(0, whole.lastIndexOf("\n", whole.length - 2) + 1);
  const body = kept + lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return gzipSync(`${body}${JSON.stringify({ sha256: createHash("sha256").update(body).digest("hex") })}\n`);
};

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-backup-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
);

const hasSchema = SqlClient.SqlClient.use((sql) =>
  Effect.map(sql`select 1 from pg_namespace where nspname = 'winnow'`, (found) => found.length > 0)
);

withLayer(TestPostgres.layer, { excludeTestServices: true })("a backup that somebody changed", (it) => {
  it.effect("is refused in a sentence and leaves neither a file nor a table", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const server = yield* TestPostgres;
      const made = join(folder, "made");
      const counts = yield* backup(made, { dataDir: folder, artifacts: null }).pipe(
        Effect.provide(PgConnection.layer(yield* server.migratedDatabase))
      );
      assert.deepInclude(counts, { files: 0 });
      const file = { file: "ext_old/1/video.mp4", place: "artifacts", sizeBytes: 0 };
      const changes: ReadonlyArray<readonly [lines: ReadonlyArray<unknown>, sentence: RegExp]> = [
        [
          [file, { ...file, file: "server.json", place: "data" }],
          /file that belongs to no backup: server\.json/u
        ],
        [[file, file], /a file twice: ext_old\/1\/video\.mp4/u],
        [[file, { table: "migration", rows: ["{}"] }], /rows that belong to no backup: migration/u],
        [[file, { table: "nothing", rows: ["{}"] }], /rows that belong to no backup: nothing/u]
      ];
      const places = { dataDir: yield* temporaryFolder, artifacts: yield* temporaryFolder };
      yield* Effect.gen(function* () {
        for (const [lines, sentence] of changes) {
          yield* Effect.promise(() => writeFile(join(folder, "bad"), withLines(readFileSync(made), lines)));
          const refused = yield* Effect.flip(restore(join(folder, "bad"), places));
          assert.instanceOf(refused, BackupFailed);
          assert.match(refused.message, sentence);
          assert.isFalse(yield* hasSchema);
          for (const place of Object.values(places)) {
            assert.deepStrictEqual(yield* Effect.promise(() => readdir(place)), []);
          }
        }
        yield* Effect.promise(() => writeFile(join(folder, "good"), withLines(readFileSync(made), [file])));
        assert.deepInclude(yield* restore(join(folder, "good"), places), { files: 1 });
      }).pipe(Effect.provide(PgConnection.layer(yield* server.emptyDatabase)));
    }).pipe(Effect.scoped)
  );
});
