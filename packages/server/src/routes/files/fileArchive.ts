/**
 * All files of an extraction as one zip archive, streamed. Files are stored without compression, because media does
 * not compress and the length is then known in advance. Tests: fileLinks.test.ts.
 */
import type { Artifact, ArtifactOwner, Extraction } from "@winnow/core/domain/run/Extraction";
import type { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { makeZip, predictLength } from "client-zip";
import * as Effect from "effect/Effect";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";

/** Concurrent size checks. */
const CONCURRENT_LOOKUPS = 8;

interface ArchivedFiles {
  readonly extractionId: string;
  readonly artifacts: ReadonlyArray<Artifact>;
  readonly owner: ArtifactOwner;
  /** Timestamp of the files in the archive, in Unix milliseconds. */
  readonly finishedAtMs: number;
}

type Artifacts = typeof ArtifactStore.Service;

/** Whether all files exist. */
const areStored = Effect.fnUntraced(function* (store: Artifacts, { artifacts, owner }: ArchivedFiles) {
  const sizes = yield* Effect.forEach(artifacts, ({ name }) => store.size({ ...owner, name }), {
    concurrency: CONCURRENT_LOOKUPS
  });
  return sizes.every(Option.isSome);
});

/** One file after the other, each opened when it is needed. */
async function* entriesOf(store: Artifacts, { artifacts, owner, finishedAtMs }: ArchivedFiles) {
  for (const { name, sizeBytes } of artifacts) {
    const bytes = Stream.toAsyncIterable(store.read({ ...owner, name }, null))[Symbol.asyncIterator]();
    try {
      const input = { [Symbol.asyncIterator]: () => bytes };
      yield { name, input, size: sizeBytes, lastModified: new Date(finishedAtMs) };
    } finally {
      // If the archive ends early, makeZip does not close what it was reading.
      await bytes.return?.();
    }
  }
}

/** The stored files of a complete extraction; null if it is not complete or its files are gone. */
export const archivedFiles = Effect.fnUntraced(function* (
  store: Artifacts,
  { id, status, result }: Extraction
) {
  if (status !== "complete" || result === null) return null;
  const { artifacts, artifactOwner: owner, finishedAtMs } = result;
  const files: ArchivedFiles = { extractionId: id, artifacts, owner, finishedAtMs };
  return (yield* areStored(store, files)) ? files : null;
});

/** Its length is known in advance, and nothing is opened before `open`. */
export const archiveOf = (store: Artifacts, files: ArchivedFiles) => ({
  extractionId: files.extractionId,
  sizeBytes: Number(predictLength(files.artifacts.map(({ name, sizeBytes }) => ({ name, size: sizeBytes })))),
  open: (): ReadableStream<Uint8Array> => makeZip(entriesOf(store, files))
});

/** HEAD returns the headers of GET. */
export const archiveResponse = (
  { extractionId, sizeBytes: contentLength, open }: ReturnType<typeof archiveOf>,
  method: string,
  whileLive: (bytes: Stream.Stream<Uint8Array>) => Stream.Stream<Uint8Array>
): HttpServerResponse.HttpServerResponse => {
  const headers = {
    "content-type": "application/zip",
    "content-disposition": `attachment; filename="${extractionId}.zip"`,
    "cache-control": "private, no-cache"
  };
  if (method === "HEAD") {
    return HttpServerResponse.empty({
      status: 200,
      headers: { ...headers, "content-length": String(contentLength) }
    });
  }
  const body = Stream.orDie(
    Stream.fromReadableStream({
      evaluate: open,
      onError: (cause) => cause
    })
  );
  return HttpServerResponse.stream(whileLive(body), {
    contentType: "application/zip",
    contentLength,
    headers
  });
};
