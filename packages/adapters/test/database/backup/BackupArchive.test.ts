import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "vitest";
import { ArchiveReader, ArchiveWriter } from "../../../src/database/backup/BackupArchive.ts";

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
      await writer.add({ file: "a", place: "data", sizeBytes: CHUNKS * CHUNK_BYTES });
      for (let chunk = 0; chunk < CHUNKS; chunk++) await writer.bytes(content);
      await writer.close();
      const reader = new ArchiveReader(path);
      assert.deepInclude(await reader.next(), { file: "a" });
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
