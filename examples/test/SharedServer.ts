/**
 * A server process with what the test run shares: the bundled program, which starts in half the time, and a database
 * on the PostgreSQL server of the run. For tests whose subject is neither; the demo's tests start what users start.
 */
import * as Effect from "effect/Effect";
import { sharedPostgres } from "../../packages/adapters/test/database/store/PostgresBroker.ts";
import { sharedProgram } from "../../packages/server/test/ProgramBroker.ts";
import { newDatabase } from "../../packages/server/test/SharedPostgres.ts";
import { startServer, type DemoServer } from "../demo/server.ts";

/** URL of a new, empty database; null outside of a test run, where servers have their embedded one. */
export const newDatabaseUrl = async (): Promise<string | null> =>
  (await sharedPostgres()) === null ? null : Effect.runPromise(Effect.scoped(newDatabase));

/** As {@link startServer}; the database outlives the server. */
export const startSharedServer = async (
  databaseUrl: string | null,
  dataDir: string,
  egressAllow: string,
  env: Readonly<Record<string, string>> = {}
): Promise<DemoServer> => {
  const settings = databaseUrl === null ? env : { WINNOW_DATABASE_URL: databaseUrl, ...env };
  return startServer(dataDir, egressAllow, settings, (await sharedProgram()) ?? undefined);
};
