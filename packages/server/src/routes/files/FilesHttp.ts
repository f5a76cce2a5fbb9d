/** Handlers of artifacts: one file, a link to it, and all of them. */
import {
  InvalidRequest,
  type NotFound,
  PreconditionFailed,
  REFUSALS
} from "@winnow/core/domain/request/Refusal";
import { isSafeFileName } from "@winnow/core/domain/result/ArtifactName";
import type { Extraction } from "@winnow/core/domain/run/Extraction";
import { fileOf } from "@winnow/core/engine/extractions/Extractions";
import { FileLinks } from "@winnow/core/engine/extractions/FileLinks";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Option from "effect/Option";
import type * as Stream from "effect/Stream";
import { Principal } from "../../http/authentication/Authorization.ts";
import { etagOf, isRefused } from "../../http/byteRange.ts";
import { archivedFiles, archiveOf, archiveResponse } from "./fileArchive.ts";
import { CHUNK_BYTES, openBody, fileResponse, noFile } from "./fileResponse.ts";
import { fileLinkItem, fileNameIn } from "../../http/authentication/fileUrls.ts";
import { OpenDownloads } from "../../http/limits/OpenDownloads.ts";
import { PublicUrl } from "../../http/PublicUrl.ts";
import { bytesWhileLive } from "../../http/authentication/whileLive.ts";

const badName = () =>
  new InvalidRequest({
    message: "Invalid file name; use a name from `summary.files` unchanged.",
    details: { param: "name" }
  });

const preconditionFailed = () => new PreconditionFailed(REFUSALS.PreconditionFailed.example);

type Bytes = Stream.Stream<Uint8Array>;

const unwatched = (bytes: Bytes): Bytes => bytes;

/** Files of one chunk are sent at once: nothing stays open for them. */
const openDownload = Effect.fnUntraced(function* (
  downloads: OpenDownloads["Service"],
  sizeBytes: number,
  { method }: HttpServerRequest
) {
  const { via, isLive } = yield* Principal;
  if (method === "HEAD" || sizeBytes <= CHUNK_BYTES || via === "process") return unwatched;
  yield* downloads.open;
  return (bytes: Bytes): Bytes => bytesWhileLive(bytes, isLive);
});

/** `find` returns the extraction that the path names. */
export const makeFiles = Effect.fnUntraced(function* (
  find: (id: string) => Effect.Effect<Extraction, NotFound, Principal>
) {
  const artifacts = yield* ArtifactStore;
  const links = yield* FileLinks;
  const publicUrl = yield* PublicUrl;
  const downloads = yield* OpenDownloads;

  const file = Effect.fnUntraced(function* (id: string, request: HttpServerRequest) {
    const name = fileNameIn(request.originalUrl);
    if (name === null) return yield* badName();
    const opened = yield* fileOf(yield* find(id), name);
    const body = yield* openBody(artifacts, opened.key, opened.artifact.sizeBytes, request);
    if (Option.isNone(body)) return yield* noFile();
    const etag = etagOf(opened.key, opened.artifact.sizeBytes);
    if (isRefused(request.headers["if-match"], etag)) return yield* preconditionFailed();
    const whileLive = yield* openDownload(downloads, opened.artifact.sizeBytes, request);
    const { range, "if-range": ifRange, "if-none-match": ifNoneMatch } = request.headers;
    return fileResponse(
      opened,
      { method: request.method, range, "if-range": ifRange, "if-none-match": ifNoneMatch },
      (part) => whileLive(body.value(part))
    );
  });

  const archive = Effect.fnUntraced(function* (id: string, request: HttpServerRequest) {
    const extraction = yield* find(id);
    const archived = yield* archivedFiles(artifacts, extraction);
    if (archived === null) return yield* noFile();
    if (isRefused(request.headers["if-match"], null)) return yield* preconditionFailed();
    const whileLive = yield* openDownload(downloads, archiveOf(artifacts, archived).sizeBytes, request);
    return archiveResponse(archiveOf(artifacts, archived), request.method, whileLive);
  });

  const createFileLink = Effect.fnUntraced(function* (id: string, name: string) {
    const { accountId } = yield* Principal;
    if (!isSafeFileName(name)) return yield* badName();
    return fileLinkItem(yield* links.create(accountId, id, name), publicUrl);
  });

  return { file, archive, createFileLink };
});
