/** Artifacts as promises: one file, a link to it, or all of them as an archive. */
import { isSafeFileName } from "@winnow/core/domain/result/ArtifactName";
import { EngineSettings } from "@winnow/core/engine/EngineSettings";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { FileLinks } from "@winnow/core/engine/extractions/FileLinks";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import { archivedFiles, archiveOf } from "../routes/files/fileArchive.ts";
import { fileLinkItem } from "../http/authentication/fileLinkUrl.ts";
import { noFile } from "../http/refusals.ts";
import type { Calls } from "./Calls.ts";
import type { FileCalls, FileRange } from "./Engine.ts";
import { EngineError } from "./EngineError.ts";

const badRange = (sizeBytes: number) =>
  new EngineError("invalid_request", `The file has ${sizeBytes} bytes; ask for a range within it.`, {
    param: "range",
    sizeBytes
  });

const isWithin = ({ start, end }: FileRange, sizeBytes: number): boolean =>
  Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end < sizeBytes;

const file = Effect.fnUntraced(function* (
  accountId: string,
  id: string,
  name: string,
  range: FileRange | null
) {
  const { artifact, key } = yield* Extractions.use((extractions) =>
    extractions.openFile(accountId, id, name)
  );
  const store = yield* ArtifactStore;
  if (Option.isNone(yield* store.size(key))) {
    return yield* noFile();
  }
  if (range !== null && !isWithin(range, artifact.sizeBytes)) {
    return yield* Effect.fail(badRange(artifact.sizeBytes));
  }
  const body = yield* Stream.toReadableStreamEffect(store.read(key, range));
  return { ...artifact, body };
});

const fileLink = Effect.fnUntraced(function* (accountId: string, id: string, name: string) {
  if (!isSafeFileName(name)) return yield* noFile();
  const { publicUrl } = yield* EngineSettings;
  return fileLinkItem(yield* FileLinks.use((links) => links.create(accountId, id, name)), publicUrl);
});

const archive = Effect.fnUntraced(function* (accountId: string, id: string) {
  const store = yield* ArtifactStore;
  const extraction = yield* Extractions.use((extractions) => extractions.get(accountId, id));
  const files = yield* archivedFiles(store, extraction);
  if (files === null) return yield* noFile();
  const { sizeBytes, open } = archiveOf(store, files);
  return { name: `${id}.zip`, contentType: "application/zip", sizeBytes, body: open() };
});

export const fileCalls = (calls: Calls<Extractions | FileLinks | ArtifactStore>): FileCalls => ({
  file: (accountId, id, name, { range = null } = {}) => calls.run(file(accountId, id, name, range)),
  fileLink: (accountId, id, name) => calls.run(fileLink(accountId, id, name)),
  archive: (accountId, id) => calls.run(archive(accountId, id))
});
