/** The store on a durable database server of its own, under a temporary folder. */
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as PgBossQueue from "../src/pg-boss/PgBossQueue.ts";
import * as EmbeddedPostgres from "../src/postgres/EmbeddedPostgres.ts";
import * as Migrations from "../src/postgres/Migrations.ts";
import * as PgConnection from "../src/postgres/PgConnection.ts";
import * as PgStore from "../src/postgres/PgStore.ts";

interface BenchDatabase {
  /** Kept as it is; without one, a temporary folder that goes with the scope. */
  readonly dataFolder?: string;
  /** Of the server, over those of the embedded one. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly timeouts?: PgConnection.PgConnectionOptions["timeouts"];
}

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-bench-"))),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
);

/** As long as the scope lives; each one is another server. Its folder and what the store is made of. */
export const openBenchStore = ({ dataFolder, settings = {}, timeouts = {} }: BenchDatabase) =>
  Effect.gen(function* () {
    const folder = dataFolder ?? (yield* temporaryFolder);
    yield* Effect.promise(() => mkdir(folder, { recursive: true }));
    yield* Effect.promise(() => chmod(folder, 0o755)); // as root, the server's user must be able to enter
    const { url } = yield* EmbeddedPostgres.start({ dataDir: folder, settings });
    const layer = PgStore.layer.pipe(
      Layer.provideMerge(PgBossQueue.layer({ url })),
      Layer.provideMerge(Migrations.layer),
      Layer.provideMerge(PgConnection.layer({ url, timeouts }))
    );
    return { folder, services: yield* Layer.build(layer) };
  });

export const benchStore = Effect.map(openBenchStore({}), ({ services }) => services);
