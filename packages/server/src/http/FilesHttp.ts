/**
 * Handlers of artifacts: one file, a link to it, and all of them.
 */
import { isSafeFileName } from "@winnow/core/domain/ArtifactName";
import { Extractions } from "@winnow/core/engine/Extractions";
import { FileLinks } from "@winnow/core/engine/FileLinks";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Option from "effect/Option";
import { InvalidRequest } from "../api/ApiErrors.ts";
import { Principal } from "../api/Authorization.ts";
import { archivedFiles, archiveResponse } from "./fileArchive.ts";
import { openBody } from "./fileBody.ts";
import { fileLinkItem } from "./fileLinkUrl.ts";
import { fileNameIn } from "./fileName.ts";
import { fileResponse } from "./fileResponse.ts";
import { PublicUrl } from "./PublicUrl.ts";
import { noFile, notFound } from "./refusals.ts";

const badName = () =>
  new InvalidRequest({
    error: {
      message: "Invalid file name; use a name from `summary.files` unchanged.",
      details: { param: "name" }
    }
  });

export const makeFiles = Effect.gen(function* () {
  const extractions = yield* Extractions;
  const artifacts = yield* ArtifactStore;
  const links = yield* FileLinks;
  const publicUrl = yield* PublicUrl;

  const file = Effect.fn("http.file")(function* (id: string, request: HttpServerRequest) {
    const { accountId } = yield* Principal;
    const name = fileNameIn(request.originalUrl);
    if (name === null) return yield* badName();
    const opened = yield* extractions
      .openFile(accountId, id, name)
      .pipe(Effect.catchTag("NotFound", notFound));
    const body = yield* openBody(artifacts, opened.key, opened.artifact.sizeBytes, request);
    if (Option.isNone(body)) return yield* noFile();
    const { range, "if-range": ifRange, "if-none-match": ifNoneMatch } = request.headers;
    return fileResponse(
      opened,
      { method: request.method, range, "if-range": ifRange, "if-none-match": ifNoneMatch },
      body.value
    );
  });

  const archive = Effect.fn("http.archive")(function* (id: string, { method }: HttpServerRequest) {
    const { accountId } = yield* Principal;
    const extraction = yield* Effect.catchTag(extractions.get(accountId, id), "NotFound", notFound);
    const archived = yield* archivedFiles(artifacts, extraction);
    if (archived === null) return yield* noFile();
    return archiveResponse(artifacts, archived, method);
  });

  const createFileLink = Effect.fn("http.createFileLink")(function* (id: string, name: string) {
    const { accountId } = yield* Principal;
    if (!isSafeFileName(name)) return yield* badName();
    const link = yield* links.create(accountId, id, name).pipe(Effect.catchTag("NotFound", notFound));
    return fileLinkItem(link, publicUrl);
  });

  return { file, archive, createFileLink };
});
