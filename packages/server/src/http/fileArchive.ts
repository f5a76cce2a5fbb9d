/**
 * All files of an extraction as one zip archive, streamed as it is asked for. Files are stored and not deflated:
 * media does not get smaller, and the length is known before the first byte.
 */
import type { Artifact, ArtifactOwner } from "@winnow/core/domain/Extraction";
import type { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { makeZip, predictLength } from "client-zip";
import * as Effect from "effect/Effect";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";

/** Artifacts asked for at once. */
const LOOKS_AT_ONCE = 8;

export interface ArchivedFiles {
  readonly extractionId: string;
  readonly artifacts: ReadonlyArray<Artifact>;
  readonly owner: ArtifactOwner;
  /** Date of the files in the archive, Unix milliseconds. */
  readonly finishedAtMs: number;
}

type Artifacts = typeof ArtifactStore.Service;

/** Whether the bytes of all of them are there. */
export const areStored = Effect.fnUntraced(function* (store: Artifacts, { artifacts, owner }: ArchivedFiles) {
  const sizes = yield* Effect.forEach(artifacts, ({ name }) => store.size({ ...owner, name }), {
    concurrency: LOOKS_AT_ONCE
  });
  return sizes.every(Option.isSome);
});

/** One file after the other, each opened when its turn comes. */
async function* entriesOf(store: Artifacts, { artifacts, owner, finishedAtMs }: ArchivedFiles) {
  for (const { name, sizeBytes } of artifacts) {
    const input = await Effect.runPromise(
      Stream.toReadableStreamEffect(store.read({ ...owner, name }, null))
    );
    yield { name, input, size: sizeBytes, lastModified: new Date(finishedAtMs) };
  }
}

/** HEAD carries the headers of GET. */
export const archiveResponse = (
  store: Artifacts,
  files: ArchivedFiles,
  method: string
): HttpServerResponse.HttpServerResponse => {
  const sizes = files.artifacts.map(({ name, sizeBytes }) => ({ name, size: sizeBytes }));
  const headers = {
    "content-type": "application/zip",
    "content-disposition": `attachment; filename="${files.extractionId}.zip"`,
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff"
  };
  const contentLength = Number(predictLength(sizes));
  if (method === "HEAD") {
    return HttpServerResponse.empty({
      status: 200,
      headers: { ...headers, "content-length": String(contentLength) }
    });
  }
  const body = Stream.orDie(
    Stream.fromReadableStream({
      evaluate: () => makeZip(entriesOf(store, files)),
      onError: (cause) => cause
    })
  );
  return HttpServerResponse.stream(body, { contentType: "application/zip", contentLength, headers });
};
