/** The store on its own durable database server, in a temporary folder. */
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as PgJobQueue from "../src/database/queue/PgJobQueue.ts";
import * as EmbeddedPostgres from "../src/database/embedded/EmbeddedPostgres.ts";
import * as Migrations from "../src/database/migrations/Migrations.ts";
import * as PgConnection from "../src/database/store/PgConnection.ts";
import * as PgStore from "../src/database/store/PgStore.ts";

interface BenchDatabase {
  /** Kept afterwards; by default a temporary folder that is removed with the scope. */
  readonly dataFolder?: string;
  /** Server settings that override those of the embedded server. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly timeouts?: PgConnection.PgConnectionOptions["timeouts"];
}

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-bench-"))),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
);

/** A new server until the scope closes: its folder and the services of the store. */
export const openBenchStore = ({ dataFolder, settings = {}, timeouts = {} }: BenchDatabase) =>
  Effect.gen(function* () {
    const folder = dataFolder ?? (yield* temporaryFolder);
    yield* Effect.promise(() => mkdir(folder, { recursive: true }));
    yield* Effect.promise(() => chmod(folder, 0o755)); // as root, PostgreSQL's user must enter
    const { url } = yield* EmbeddedPostgres.start({ dataDir: folder, settings });
    const layer = PgStore.layer.pipe(
      Layer.provideMerge(PgJobQueue.layer()),
      Layer.provideMerge(Migrations.layer),
      Layer.provideMerge(PgConnection.layer({ url, timeouts }))
    );
    return { folder, services: yield* Layer.build(layer) };
  });

export const benchStore = Effect.map(openBenchStore({}), ({ services }) => services);
