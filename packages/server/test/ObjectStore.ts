/**
 * An object store on loopback, with the layer that stores artifacts in it and a hook to replace its responses.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as S3Artifacts from "@winnow/adapters/storage/s3/S3Artifacts";
import * as Context from "effect/Context";
import { writeWhole } from "@winnow/adapters/test/storage/s3/writeWhole";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import S3rver from "s3rver";

const BUCKET = "winnow-test";

/** The only access key and secret that s3rver accepts. */
const KEY = Redacted.make("S3RVER");

/** Returns true if it has sent the response itself. */
type Hook = (request: IncomingMessage, response: ServerResponse) => boolean;

const start = async () => {
  const directory = await mkdtemp(join(tmpdir(), "winnow-objects-"));
  const configureBuckets = [{ name: BUCKET, configs: [] }];
  const store = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets });
  await store.configureBuckets();
  writeWhole(store);
  const handle = store.callback();
  let hook: Hook = () => false;
  const server = createServer((request, response) => {
    if (!hook(request, response)) handle(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const location = {
    bucket: BUCKET,
    prefix: "artifacts",
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "us-east-1"
  };
  return {
    artifacts: Layer.orDie(
      S3Artifacts.layer({
        location,
        credentials: { accessKeyId: KEY, secretAccessKey: KEY, sessionToken: null },
        workDir: directory
      })
    ),
    hook: (next: Hook) => {
      hook = next;
    },
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
      await rm(directory, { recursive: true, force: true });
    }
  };
};

export class ObjectStore extends Context.Service<ObjectStore, Awaited<ReturnType<typeof start>>>()(
  "@winnow/server/test/ObjectStore"
) {
  static readonly layer = Layer.effect(
    ObjectStore,
    Effect.acquireRelease(
      Effect.promise(() => start()),
      (objects) => Effect.promise(() => objects.stop())
    )
  );
}
