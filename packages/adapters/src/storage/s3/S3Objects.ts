/** The objects of a bucket under a prefix. Fails with the connection's errors, which S3Failure describes. Tests: S3Artifacts.test.ts. */
import type { ArtifactSource, ByteRange } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import { S3Connection } from "./S3Connection.ts";
import { REMOVED_IN_REQUEST, removeObjects } from "./S3Removal.ts";
import { s3ErrorMessage, isNotFound, S3AnswerBroken, S3TimedOut } from "./S3Failure.ts";
import { clientOptions, objectName, type S3Credentials, type S3Location } from "./S3Location.ts";
import { S3Upload } from "./S3Upload.ts";

/** Maximum silence within a body. Time spent waiting for the reader does not count. */
const STALL_TIMEOUT_MS = 30_000;

/** Maximum names per list response, as defined by S3. */
const LIST_PAGE = 1_000;

/** Written and removed at start-up; ids cannot start with a dot. */
const START_MARKER = ".start";

const lengthOf = (response: Response): number | null => {
  const header = response.headers.get("content-length");
  return header !== null && /^\d+$/u.test(header) ? Number(header) : null;
};

const discard = (body: Response["body"]) => Effect.promise(async () => body?.cancel());

/** Fails if fewer bytes arrive than announced, so that a part is never mistaken for the whole. */
const exactly = (sizeBytes: number) => (body: Stream.Stream<Uint8Array, unknown>) =>
  Stream.suspend(() => {
    let missing = sizeBytes;
    const counted = Stream.map(body, (chunk) => {
      missing -= chunk.byteLength;
      return chunk;
    });
    const end = Stream.suspend(() =>
      missing === 0
        ? Stream.empty
        : Stream.fail(new S3AnswerBroken(`truncated: ${missing} bytes are missing`))
    );
    return Stream.concat(counted, end);
  });

export class S3Objects {
  readonly #location: S3Location;
  readonly #credentials: S3Credentials;
  readonly #connection: S3Connection;

  constructor(location: S3Location, credentials: S3Credentials) {
    this.#location = location;
    this.#credentials = credentials;
    this.#connection = new S3Connection(clientOptions(location, credentials));
  }

  /** Checks every permission that a run and its removal need, so that a run does not fail after all its work. */
  get check(): Effect.Effect<void, unknown> {
    const marker = this.#nameOf(START_MARKER);
    const prefix = this.#nameOf("");
    const listing = { "list-type": "2", "max-keys": "1", prefix };
    return this.#connection
      .request({ method: "PUT", objectName: marker })
      .pipe(
        Effect.andThen(this.#connection.request({ method: "GET", objectName: "", query: listing })),
        Effect.andThen(this.#connection.request({ method: "DELETE", objectName: marker, statusCode: 204 })),
        Effect.asVoid
      );
  }

  /** Returns the size in bytes. An interrupted upload leaves nothing behind. */
  put(path: string, source: ArtifactSource): Effect.Effect<number, unknown> {
    return Effect.callback<number, unknown>((resume) => {
      const controller = new AbortController();
      const upload = new S3Upload(clientOptions(this.#location, this.#credentials), controller.signal);
      const sending = upload.send(this.#nameOf(path), source).then(
        (sizeBytes) => resume(Effect.succeed(sizeBytes)),
        (cause: unknown) => resume(Effect.fail(cause))
      );
      return Effect.promise(() => {
        controller.abort();
        return sending;
      });
    });
  }

  size(path: string): Effect.Effect<Option.Option<number>, unknown> {
    return this.#connection.request({ method: "HEAD", objectName: this.#nameOf(path) }).pipe(
      Effect.map(lengthOf),
      Effect.flatMap((sizeBytes) =>
        sizeBytes === null
          ? Effect.fail(new S3AnswerBroken("does not say how large an object is"))
          : Effect.succeed(Option.some(sizeBytes))
      ),
      Effect.catch((cause) => (isNotFound(cause) ? Effect.succeed(Option.none()) : Effect.fail(cause)))
    );
  }

  read(path: string, range: ByteRange | null): Stream.Stream<Uint8Array, unknown> {
    const request = this.#connection.request({
      method: "GET",
      objectName: this.#nameOf(path),
      returnBody: true,
      ...(range === null
        ? {}
        : { headers: new Headers({ range: `bytes=${range.start}-${range.end}` }), statusCode: 206 })
    });
    return Stream.unwrap(Effect.map(request, (response) => this.#bodyOf(response, range)));
  }

  #bodyOf(response: Response, range: ByteRange | null): Stream.Stream<Uint8Array, unknown> {
    const { body } = response;
    const sizeBytes = lengthOf(response);
    if (sizeBytes === null || (range !== null && sizeBytes !== range.end - range.start + 1)) {
      const unexpectedBytes = new S3AnswerBroken("answered with other bytes than asked for");
      return Stream.unwrap(Effect.as(discard(body), Stream.fail(unexpectedBytes)));
    }
    if (body === null) return exactly(sizeBytes)(Stream.empty);
    return Stream.fromReadableStream<Uint8Array, unknown>({
      evaluate: () => body,
      onError: (cause) => cause
    }).pipe(
      Stream.timeoutOrElse({
        duration: STALL_TIMEOUT_MS,
        orElse: () => Stream.fail(new S3TimedOut(STALL_TIMEOUT_MS))
      }),
      exactly(sizeBytes)
    );
  }

  /**
   * Removes all objects whose path starts with the prefix, a thousand per request. Lists all names first, because
   * removals would shift the pages.
   */
  removeAll(path: string): Effect.Effect<void, unknown> {
    return this.#keysUnder(path).pipe(
      Effect.flatMap((keys) =>
        Effect.forEach(
          Array.from({ length: Math.ceil(keys.length / REMOVED_IN_REQUEST) }, (_, page) =>
            keys.slice(page * REMOVED_IN_REQUEST, (page + 1) * REMOVED_IN_REQUEST)
          ),
          (some) => removeObjects(this.#connection, some),
          { discard: true }
        )
      )
    );
  }

  #keysUnder(path: string): Effect.Effect<ReadonlyArray<string>, unknown> {
    const listed = this.#connection.listObjects({ prefix: this.#nameOf(path), pageSize: LIST_PAGE });
    return Stream.fromAsyncIterable(listed, (cause) => cause).pipe(
      Stream.map(({ key }) => key),
      Stream.runCollect
    );
  }

  s3ErrorMessage(cause: unknown): string {
    return s3ErrorMessage(cause, this.#location);
  }

  #nameOf(path: string): string {
    return objectName(this.#location, path);
  }
}
