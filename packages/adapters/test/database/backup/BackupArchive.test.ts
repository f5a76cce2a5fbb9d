import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { assert, describe, it } from "vitest";
import { ArchiveReader, ArchiveWriter, BackupFailed } from "../../../src/database/backup/BackupArchive.ts";

const CHUNK_BYTES = 256 * 1_024;
const CHUNKS = 40;

describe("an archive that is larger than the buffers on its way to the disk", () => {
  it("comes back whole, and waiting for the disk leaves no listeners", async () => {
    const folder = await mkdtemp(join(tmpdir(), "winnow-archive-"));
    const warnings: Array<Error> = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on("warning", onWarning);
    try {
      const path = join(folder, "backup");
      const writer = new ArchiveWriter(path);
      const content = randomBytes(CHUNK_BYTES);
      const file = "ext_old/1/video.mp4";
      await writer.add({ file, place: "artifacts", sizeBytes: CHUNKS * CHUNK_BYTES });
      for (let chunk = 0; chunk < CHUNKS; chunk++) await writer.bytes(content);
      await writer.close();
      const reader = new ArchiveReader(path);
      assert.deepInclude(await reader.next(), { file });
      const read: Array<Buffer> = [];
      for await (const chunk of reader.bytes(CHUNKS * CHUNK_BYTES)) read.push(chunk);
      assert.isTrue(Buffer.concat(read).equals(Buffer.concat(Array.from({ length: CHUNKS }, () => content))));
      assert.isNull(await reader.next());
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepStrictEqual(warnings, []);
    } finally {
      process.off("warning", onWarning);
      await rm(folder, { recursive: true });
    }
  });
});

const HEAD = { winnowBackup: 1, migrations: [], madeAt: "2026-01-01T00:00:00.000Z" };

const announced = (file: unknown, place: unknown = "artifacts", sizeBytes: unknown = 0) => ({
  file,
  place,
  sizeBytes
});

/** The sentence of an archive that is refused; null for one that is not. */
const refusal = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof BackupFailed ? error.message : String(error))
  );

/** The second line of an archive whose checksum is right. */
const readSecond = async (line: unknown, head: unknown = HEAD, after = Buffer.alloc(0)) => {
  const folder = await mkdtemp(join(tmpdir(), "winnow-archive-"));
  try {
    const path = join(folder, "backup");
    const body = [head, line].map((entry) => `${JSON.stringify(entry)}\n`).join("");
    const end = JSON.stringify({ sha256: createHash("sha256").update(body).digest("hex") });
    await writeFile(path, Buffer.concat([gzipSync(`${body}${end}\n`), after]));
    const reader = new ArchiveReader(path);
    await reader.head();
    const entry = await reader.next();
    assert.isNull(await reader.next());
    return entry;
  } finally {
    await rm(folder, { recursive: true });
  }
};

describe("a line of an archive", () => {
  it("is rows, a file of the data folder that backups have, or an artifact of a run", async () => {
    for (const line of [
      { table: "account", rows: ["{}"] },
      announced("admin-token", "data"),
      announced("first-account.json", "data"),
      announced("ext_old/1/video.mp4"),
      announced("ext_old/12/subtitles.pt-BR.vtt"),
      announced("ext_old/1/image.01.jpg")
    ]) {
      assert.deepStrictEqual(await readSecond(line), line as never);
    }
  });

  it("of another shape refuses the archive in a sentence", async () => {
    const lines: ReadonlyArray<unknown> = [
      null,
      5,
      {},
      HEAD,
      { table: "account", rows: 5 },
      { table: "account", rows: [{}] },
      { table: "account; drop table account", rows: [] },
      { table: "account", rows: [], file: "admin-token", place: "data", sizeBytes: 0 },
      announced("admin-token", "data", -5),
      announced("admin-token", "data", "12"),
      announced("admin-token", "data", 1.5),
      announced("admin-token", "other"),
      announced("admin-token", "__proto__"),
      announced(5, "data")
    ];
    for (const line of lines)
      assert.match((await refusal(readSecond(line))) ?? "", /^This is not a backup of Winnow, or it/u);
    for (const head of [null, { ...HEAD, migrations: 5 }, { ...HEAD, winnowBackup: 2 }, lines[4]]) {
      assert.match(
        (await refusal(readSecond(announced("admin-token", "data"), head))) ?? "",
        /^This is not a backup of Winnow/u
      );
    }
  });

  it("after the last one, which no checksum covers, refuses the archive", async () => {
    const line = announced("admin-token", "data");
    for (const after of [`${JSON.stringify(line)}\n`, "\n", "x"])
      assert.match((await refusal(readSecond(line, HEAD, gzipSync(after)))) ?? "", /goes on after its end/u);
  });

  it("that names any other file refuses the archive, so that a restore writes none that the server runs or trusts", async () => {
    const ofData = [
      "server.json",
      "first-api-key",
      "postgres/cluster/postgresql.auto.conf",
      "programs/yt-dlp/2026.10.26/lib/python3.11/site-packages/sitecustomize.py",
      "models/whisper-tiny/tokens.txt",
      "./admin-token",
      "../admin-token",
      "admin-token/x",
      "constructor",
      ""
    ];
    const ofRuns = [
      "admin-token",
      "ext_old/1/evil.sh",
      "ext_old/1/../video.mp4",
      "ext_old/video.mp4",
      "ext_old/1/2/video.mp4",
      "ext_old/01/video.mp4",
      "ext_old/-1/video.mp4",
      "ext_old/1e1/video.mp4",
      "../1/video.mp4",
      "/ext_old/1/video.mp4",
      ".restoring/1/video.mp4"
    ];
    const foreign = [
      ...ofData.map((file) => announced(file, "data")),
      ...ofRuns.map((file) => announced(file)),
      announced("admin-token", "data", 1_000_000)
    ];
    for (const line of foreign)
      assert.match((await refusal(readSecond(line))) ?? "", /^The backup has a file that belongs to no/u);
    for (const line of ["ext_old/1/page.md", "ext_old/1/sections.json"].map((file) => announced(file)))
      assert.notMatch((await refusal(readSecond(line))) ?? "", /belongs to no/u);
  });
});
