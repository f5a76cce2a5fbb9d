/**
 * An object store on loopback (s3rver) behind a proxy that fails on demand, and the names of its objects.
 */
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  request as ask,
  type Server,
  type ServerResponse
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { writeWhole } from "@winnow/adapters/test/storage/s3/writeWhole";
import * as Effect from "effect/Effect";
import S3rver from "s3rver";

const BUCKET = "winnow-faults";
const PREFIX = "artifacts";

/** s3rver stores three files per object; this suffix follows the object's name in one of them. */
const OBJECT_SUFFIX = "._S3rver_object";

/** `errors`: status 503; `hang-ups`: the connection closes mid-request; `slow`: every response is delayed. */
export const BUCKET_FAULTS = ["errors", "hang-ups", "slow"] as const;
export type BucketFault = (typeof BUCKET_FAULTS)[number];

const SLOW_MS = 5_000;

export interface FaultyBucket {
  /** For WINNOW_ARTIFACTS_URL, with the credentials below. */
  readonly url: string;
  readonly fail: (fault: BucketFault | null) => void;
  /** Number of requests that met a fault. */
  readonly failed: () => number;
  /** Names under the prefix: `extraction/attempt/name`. */
  readonly names: () => Promise<ReadonlyArray<string>>;
  readonly stop: () => Promise<void>;
}

/** The only credentials that s3rver accepts. */
export const BUCKET_CREDENTIALS = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };

const BROKEN = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>ServiceUnavailable</Code></Error>';

const answerBroken = (request: IncomingMessage, response: ServerResponse, fault: BucketFault): void => {
  if (fault === "hang-ups") {
    // After some bytes of the body have arrived.
    request.once("data", () => request.destroy());
    request.once("end", () => request.destroy());
    return;
  }
  request.resume();
  response.writeHead(503, { "content-type": "application/xml" }).end(BROKEN);
};

const namesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(OBJECT_SUFFIX))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).slice(0, -OBJECT_SUFFIX.length));
};

/** The complete request; null if the client disconnected before its end. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Array<Buffer> = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return null;
  }
  return request.complete ? Buffer.concat(chunks) : null;
};

/** Forwards the request to the real store, and returns its complete response. */
const passOn = (
  port: number,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse
): Promise<void> =>
  new Promise((resolve) => {
    const asked = ask({ port, host: "127.0.0.1", method, path: url, headers }, (answer) => {
      // Buffers the response: a client that disconnects midway would otherwise block the requests queued behind
      // it.
      const chunks: Array<Buffer> = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.once("close", () => {
        response.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(chunks));
        resolve();
      });
    });
    asked.once("error", () => {
      response.destroy();
      resolve();
    });
    asked.end(body);
  });

/** s3rver encrypts continuation tokens with a cipher that OpenSSL no longer has, so the proxy paginates. */
const answerListing = async (url: URL, folder: string, response: ServerResponse): Promise<void> => {
  const { searchParams } = url;
  const wanted = searchParams.get("prefix") ?? "";
  const after = searchParams.get("continuation-token") ?? "";
  const keys = (await namesIn(folder))
    .map((name) => `${PREFIX}/${name}`)
    .filter((key) => key.startsWith(wanted) && key > after)
    .toSorted();
  const page = keys.slice(0, Number(searchParams.get("max-keys") ?? 1_000));
  const isTruncated = page.length < keys.length;
  const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join("");
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  response
    .writeHead(200, { "content-type": "application/xml" })
    .end(`<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents}</ListBucketResult>`);
};

const listening = async (server: Server): Promise<number> => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
};

const close = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  await once(server.close(), "close");
};

export const startFaultyBucket = async (): Promise<FaultyBucket> => {
  const directory = await mkdtemp(join(tmpdir(), "winnow-bucket-"));
  const configureBuckets = [{ name: BUCKET, configs: [] }];
  const store = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets });
  await store.configureBuckets();
  writeWhole(store);
  const inner = createServer(store.callback());
  const innerPort = await listening(inner);
  let fault: BucketFault | null = null;
  let failed = 0;
  // A PUT in S3 is atomic, but s3rver writes in place, file by file: it only gets complete requests, one at a
  // time.
  let last: Promise<unknown> = Promise.resolve();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? "", "http://localhost");
    if (url.searchParams.has("list-type"))
      return answerListing(url, join(directory, BUCKET, PREFIX), response);
    if (body !== null) await (last = last.then(() => passOn(innerPort, request, body, response)));
  };
  const server = createServer((request, response) => {
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    if (fault !== null) failed += 1;
    if (fault === null) void serve(request, response);
    else if (fault === "slow") void wait(SLOW_MS).then(() => serve(request, response));
    else answerBroken(request, response, fault);
  });
  const port = await listening(server);
  return {
    url: `s3://${BUCKET}/${PREFIX}?endpoint=http://127.0.0.1:${port}&region=us-east-1`,
    fail: (next) => void (fault = next),
    failed: () => failed,
    names: () => namesIn(join(directory, BUCKET, PREFIX)),
    stop: async () => {
      await Promise.all([close(server), close(inner)]);
      await rm(directory, { recursive: true, force: true });
    }
  };
};

export const faultyBucket = Effect.acquireRelease(Effect.promise(startFaultyBucket), ({ stop }) =>
  Effect.promise(stop)
);
