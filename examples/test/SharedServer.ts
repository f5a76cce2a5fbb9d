/**
 * A server process with what the test run shares: the bundled program, which starts in half the time, and a database
 * on the PostgreSQL server of the run. For tests whose subject is neither; the demo's tests start what users start.
 */
import * as Effect from "effect/Effect";
import { startServer, type DemoServer } from "../demo/server.ts";

/** Imported by URL, because they belong to other TypeScript projects. */
const fromTests = <Module>(file: string): Promise<Module> =>
  import(new URL(`../../packages/${file}`, import.meta.url).href) as Promise<Module>;

type ProgramBroker = typeof import("../../packages/server/test/ProgramBroker.ts");
type PostgresBroker = typeof import("../../packages/adapters/test/database/store/PostgresBroker.ts");
type SharedPostgres = typeof import("../../packages/server/test/SharedPostgres.ts");

/** URL of a new, empty database; null outside of a test run, where servers have their embedded one. */
export const newDatabaseUrl = async (): Promise<string | null> => {
  const { sharedPostgres } = await fromTests<PostgresBroker>(
    "adapters/test/database/store/PostgresBroker.ts"
  );
  if ((await sharedPostgres()) === null) return null;
  const { newDatabase } = await fromTests<SharedPostgres>("server/test/SharedPostgres.ts");
  return Effect.runPromise(Effect.scoped(newDatabase));
};

/** As {@link startServer}; the database outlives the server. */
export const startSharedServer = async (
  databaseUrl: string | null,
  dataDir: string,
  egressAllow: string,
  env: Readonly<Record<string, string>> = {}
): Promise<DemoServer> => {
  const { sharedProgram } = await fromTests<ProgramBroker>("server/test/ProgramBroker.ts");
  const settings = databaseUrl === null ? env : { WINNOW_DATABASE_URL: databaseUrl, ...env };
  return startServer(dataDir, egressAllow, settings, (await sharedProgram()) ?? undefined);
};
