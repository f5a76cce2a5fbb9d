// @module-tag long
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { type ArtifactKey, ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import * as Stream from "effect/Stream";
import { layer, type S3ArtifactsOptions } from "../../../src/storage/s3/S3Artifacts.ts";
import { CREDENTIALS, optionsOf, s3Server, type Fault } from "./S3Server.ts";

const MEBIBYTE = 1_024 * 1_024;

/** Uploaded in three parts. */
const LARGE_FILE_BYTES = 16 * MEBIBYTE + 7;

type Server = Effect.Success<typeof s3Server>;

const inBucket = <A, E, R>(use: (server: Server) => Effect.Effect<A, E, R>) =>
  s3Server.pipe(
    Effect.flatMap((server) => Effect.provide(use(server), layer(optionsOf(server.endpoint)))),
    Effect.scoped
  );

const key: ArtifactKey = { extractionId: "ext_1", attempt: 1, name: "video.mp4" };

const put = (bytes: Uint8Array) => ArtifactStore.use((store) => store.put(key, { _tag: "Bytes", bytes }));

const size = ArtifactStore.use((store) => store.size(key));

const read = ArtifactStore.use((store) =>
  Effect.map(Stream.runCollect(store.read(key, null)), Buffer.concat)
);

/** The message of a defect, with all its causes. */
const defectOf = <R>(effect: Effect.Effect<unknown, never, R>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    assert(Exit.isFailure(exit), "no defect");
    return Cause.pretty(exit.cause);
  });

/** Responds to the first matching requests with a status. */
const failing = (times: number, status: number, matches: (line: string) => boolean): Fault => {
  let left = times;
  return (request, response) => {
    if (left === 0 || !matches(`${request.method} ${request.url}`)) return false;
    left -= 1;
    request.resume();
    response.writeHead(status).end();
    return true;
  };
};

const temporaryFile = (content: Uint8Array) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = await mkdtemp(join(tmpdir(), "winnow-s3-faults-"));
      await writeFile(join(folder, "video.mp4"), content);
      return { folder, path: join(folder, "video.mp4") };
    }),
    ({ folder }) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  );

describe("an object store that fails for a moment", () => {
  it.live.each([500, 503, 429])("is retried after %d", (status) =>
    inBucket((server) =>
      Effect.gen(function* () {
        for (const method of ["PUT", "HEAD", "GET"]) {
          server.misbehave(failing(2, status, (line) => line.startsWith(method)));
          if (method === "PUT") assert.strictEqual(yield* put(Buffer.from("film")), 4);
          if (method === "HEAD") assert.deepStrictEqual(yield* size, Option.some(4));
          if (method === "GET") assert.strictEqual((yield* read).toString(), "film");
        }
      })
    )
  );

  it.live("is sent the one part again, not the file", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        const content = randomBytes(LARGE_FILE_BYTES);
        const { path } = yield* temporaryFile(content);
        server.misbehave(failing(2, 500, (line) => line.includes("partNumber=2")));
        yield* ArtifactStore.use((store) => store.put(key, { _tag: "LocalFile", path }));
        assert.isTrue((yield* read).equals(content), "the content differs");
        assert.strictEqual(server.seen.filter((line) => line.includes("partNumber=")).length, 5);
      })
    )
  );

  it.live("is abandoned after a few attempts, with its response in the message", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        server.misbehave(failing(Number.POSITIVE_INFINITY, 500, () => true));
        const before = server.seen.length;
        assert.include(yield* defectOf(size), `the object store at ${server.endpoint} answered 500`);
        assert.strictEqual(server.seen.length - before, 5);
      })
    )
  );

  it.live("is not retried after a refusal", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        server.misbehave(failing(1, 403, () => true));
        const before = server.seen.length;
        assert.include(yield* defectOf(put(Buffer.from("film"))), "refused the credentials");
        assert.strictEqual(server.seen.length - before, 1);
      })
    )
  );
});

describe("an object store that is unavailable", () => {
  it.live("is a defect that names its address and no secret", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        yield* Effect.promise(server.stop);
        const asked = [put(Buffer.from("film")), size, read].map(defectOf);
        for (const words of yield* Effect.all(asked, { concurrency: 3 })) {
          assert.include(words, `the object store at ${server.endpoint} cannot be reached (ECONNREFUSED)`);
          assert.notInclude(words, "S3RVER");
        }
      })
    )
  );
});

describe("incomplete transfers", () => {
  it.live("a body that breaks off is never served as the whole", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        yield* put(Buffer.alloc(MEBIBYTE, 1));
        server.misbehave((request, response) => {
          if (request.method !== "GET") return false;
          response.writeHead(200, { "content-length": String(MEBIBYTE) });
          response.write(Buffer.alloc(MEBIBYTE / 2, 1), () => response.destroy());
          return true;
        });
        assert.include(yield* defectOf(read), "reading ext_1/1/video.mp4");
      })
    )
  );

  it.live("a response of another length than the requested range is rejected", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        yield* put(Buffer.alloc(100, 1));
        server.misbehave((request, response) => {
          if (request.method !== "GET") return false;
          response.writeHead(206, { "content-length": "5" }).end("12345");
          return true;
        });
        const part = ArtifactStore.use((store) => Stream.runDrain(store.read(key, { start: 10, end: 19 })));
        assert.include(yield* defectOf(part), "answered with other bytes than asked for");
      })
    )
  );

  it.live("a response without a length is rejected", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        yield* put(Buffer.alloc(100, 1));
        server.misbehave((request, response) => {
          if (request.method !== "GET") return false;
          response.writeHead(200);
          response.write("half");
          response.end();
          return true;
        });
        assert.include(yield* defectOf(read), "answered with other bytes than asked for");
      })
    )
  );

  it.live("an upload with a part that always fails leaves neither object nor parts", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        const { path } = yield* temporaryFile(randomBytes(LARGE_FILE_BYTES));
        server.misbehave(failing(Number.POSITIVE_INFINITY, 500, (line) => line.includes("partNumber=3")));
        const store = yield* ArtifactStore;
        const words = yield* defectOf(store.put(key, { _tag: "LocalFile", path }));
        assert.include(words, "storing ext_1/1/video.mp4");
        assert.deepStrictEqual(yield* size, Option.none());
        assert.isTrue(server.seen.some((line) => /^DELETE .*uploadId=/u.test(line)));
      })
    )
  );

  it.live("an interrupted upload ends at once and leaves neither object nor parts", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        const { path } = yield* temporaryFile(randomBytes(LARGE_FILE_BYTES));
        const reached = Promise.withResolvers<void>();
        server.misbehave((request) => {
          if (request.url?.includes("partNumber=2") !== true) return false;
          reached.resolve();
          return true;
        });
        const store = yield* ArtifactStore;
        const putting = yield* Effect.forkChild(store.put(key, { _tag: "LocalFile", path }));
        yield* Effect.promise(() => reached.promise);
        // Half the time limit of the part's response.
        yield* Fiber.interrupt(putting).pipe(Effect.timeout("30 seconds"));
        assert.isTrue(server.seen.some((line) => /^DELETE .*uploadId=/u.test(line)));
        assert.deepStrictEqual(yield* size, Option.none());
      })
    )
  );
});

describe("the start", () => {
  const refusal = (options: S3ArtifactsOptions) =>
    Effect.flip(Effect.provide(ArtifactStore, layer(options))).pipe(Effect.map(({ message }) => message));

  it.live("is refused with an unknown key id, which the message does not repeat", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* s3Server;
      const credentials = { ...CREDENTIALS, accessKeyId: Redacted.make("hunter2") };
      const message = yield* refusal({ ...optionsOf(endpoint), credentials });
      assert.include(message, "refused the credentials");
      assert.include(message, "(403 InvalidAccessKeyId)");
      assert.notInclude(message, "hunter2");
    }).pipe(Effect.scoped)
  );

  it.live("is refused with a wrong secret, which is neither repeated in the message nor sent", () =>
    Effect.gen(function* () {
      const server = yield* s3Server;
      let sent = "";
      server.misbehave((request) => {
        sent += JSON.stringify(request.rawHeaders) + request.url;
        return false;
      });
      const credentials = { ...CREDENTIALS, secretAccessKey: Redacted.make("hunter2") };
      const message = yield* refusal({ ...optionsOf(server.endpoint), credentials });
      assert.include(message, "refused the credentials");
      assert.include(message, "(403 SignatureDoesNotMatch)");
      assert.include(message, "AWS_SECRET_ACCESS_KEY");
      assert.isNotEmpty(sent);
      assert.notInclude(message + sent, "hunter2");
    }).pipe(Effect.scoped)
  );

  it.live("says that temporary credentials require a session token", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* s3Server;
      const credentials = { ...CREDENTIALS, accessKeyId: Redacted.make("ASIAEXAMPLE") };
      const message = yield* refusal({ ...optionsOf(endpoint), credentials });
      assert.include(message, "AWS_SESSION_TOKEN");
      assert.notInclude(message, "ASIAEXAMPLE");
    }).pipe(Effect.scoped)
  );

  it.live("is refused without the bucket", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* s3Server;
      const options = optionsOf(endpoint);
      const location = { ...options.location, bucket: "no-such-bucket" };
      assert.include(yield* refusal({ ...options, location }), 'has no bucket "no-such-bucket"');
    }).pipe(Effect.scoped)
  );

  it.live("is refused if nothing listens", () =>
    Effect.gen(function* () {
      const server = yield* s3Server;
      yield* Effect.promise(server.stop);
      assert.include(yield* refusal(optionsOf(server.endpoint)), "cannot be reached (ECONNREFUSED)");
    }).pipe(Effect.scoped)
  );

  it.live("leaves nothing in the bucket", () =>
    inBucket((server) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* Effect.promise(server.kept), []);
      })
    )
  );
});
