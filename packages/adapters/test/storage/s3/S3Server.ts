/**
 * An object store on loopback: s3rver, behind a server that counts requests and misbehaves on demand.
 */
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import S3rver from "s3rver";
import type { S3ArtifactsOptions } from "../../../src/storage/s3/S3Artifacts.ts";
import { isSignedWith } from "./SignatureV4.ts";
import { writeWhole } from "./writeWhole.ts";

export const BUCKET = "winnow-test";

/** An address that other programs do not use, so that its port stays free after the server has stopped. */
const HOST = process.platform === "linux" ? "127.0.0.83" : "127.0.0.1";

/** With this as id too, the only key pair that s3rver knows. */
const SECRET = "S3RVER";

export const CREDENTIALS = {
  accessKeyId: Redacted.make("S3RVER"),
  secretAccessKey: Redacted.make(SECRET),
  sessionToken: null
};

/** As Amazon returns it. */
const SIGNATURE_REFUSED =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SignatureDoesNotMatch</Code><Message>The request ' +
  "signature we calculated does not match the signature you provided.</Message></Error>";

const refuseSignature = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume();
  response.writeHead(403, { "content-type": "application/xml" }).end(SIGNATURE_REFUSED);
};

/** Returns true if it has answered the request itself. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Kept {
  getObject: (bucket: string, key: string, range?: { start?: number; end?: unknown }) => Promise<unknown>;
  listObjects: (
    bucket: string,
    page: { prefix: string; startAfter: string | undefined; maxKeys: number }
  ) => Promise<{ objects: ReadonlyArray<{ key: string; size: number }>; isTruncated: boolean }>;
}

/** s3rver treats an `end` of 0 as missing, because it is falsy; an object is not. */
const minding = (store: Kept): void => {
  const { getObject } = store;
  store.getObject = (bucket, key, range) =>
    getObject.call(store, bucket, key, range?.end === 0 ? { ...range, end: Object(0) } : range);
};

/** A store may return fewer names than requested. */
export const NAMES_IN_PAGE = 50;

/** s3rver's page tokens need a cipher that OpenSSL has removed, so paging is implemented here. */
const list = async (store: Kept, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { searchParams } = new URL(request.url ?? "", "http://localhost");
  const { objects, isTruncated } = await store.listObjects(BUCKET, {
    prefix: searchParams.get("prefix") ?? "",
    startAfter: searchParams.get("continuation-token") ?? undefined,
    maxKeys: Math.min(NAMES_IN_PAGE, Number(searchParams.get("max-keys")))
  });
  const contents = objects.map(
    ({ key, size }) => `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`
  );
  const next = isTruncated ? `<NextContinuationToken>${objects.at(-1)?.key}</NextContinuationToken>` : "";
  response
    .writeHead(200, { "content-type": "application/xml" })
    .end(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`
    );
};

const isListing = (request: IncomingMessage): boolean =>
  request.url?.startsWith(`/${BUCKET}/?list-type=2`) === true;

const start = async (host: string) => {
  const directory = await mkdtemp(join(tmpdir(), "winnow-s3-"));
  const store = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET, configs: [] }]
  });
  await store.configureBuckets();
  writeWhole(store);
  const kept = (store as S3rver & { readonly store: Kept }).store;
  minding(kept);
  const handle = store.callback();
  const seen: Array<string> = [];
  /** In S3, a put is atomic; s3rver writes in place, so it gets one put at a time. */
  let putting: Promise<unknown> = Promise.resolve();
  const put = (request: IncomingMessage, response: ServerResponse): void => {
    // Also if the client is cut off: the puts behind it go on.
    const done = once(response, "close").catch(() => undefined);
    putting = putting.then(() => {
      handle(request, response);
      return done;
    });
  };
  let fault: Fault = () => false;
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (fault(request, response)) return;
    // s3rver accepts every signature of version 4, valid or not.
    if (!isSignedWith(SECRET, request)) refuseSignature(request, response);
    // s3rver fails if a folder is removed meanwhile; a store would not.
    else if (isListing(request)) list(kept, request, response).catch(() => response.writeHead(503).end());
    else if (request.method === "PUT") put(request, response);
    else handle(request, response);
  });
  await once(server.listen(0, host), "listening");
  const stop = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return {
    endpoint: `http://${host}:${(server.address() as AddressInfo).port}`,
    /** `METHOD /path?query` of all requests. */
    seen,
    misbehave: (next: Fault) => {
      fault = next;
    },
    /** Paths of the stored files, relative to the bucket's folder. */
    kept: async () =>
      (await readdir(join(directory, BUCKET), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + BUCKET.length + 2)),
    stop,
    close: async () => {
      await stop();
      // s3rver may still be writing the last request.
      await rm(directory, { recursive: true, force: true, maxRetries: 20 });
    }
  };
};

/** A separate server at an address of this machine, until the scope closes. */
export const s3ServerAt = (host: string) =>
  Effect.acquireRelease(
    Effect.promise(() => start(host)),
    (server) => Effect.promise(() => server.close())
  );

export const s3Server = s3ServerAt(HOST);

export const optionsOf = (endpoint: string, prefix = "some/prefix"): S3ArtifactsOptions => ({
  location: { bucket: BUCKET, prefix, endpoint, region: "us-east-1" },
  credentials: CREDENTIALS,
  workDir: tmpdir()
});
