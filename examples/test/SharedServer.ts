/**
 * A server process with what the test run shares: the bundled program, which starts in half the time, and a database
 * on the PostgreSQL server of the run. For tests whose subject is neither; the demo's tests start what users start.
 */
import * as Effect from "effect/Effect";
import { startServer, type DemoServer } from "../demo/server.ts";

/** Imported by URL, because they belong to another TypeScript project. */
const fromServer = <Module>(file: string): Promise<Module> =>
  import(new URL(`../../packages/server/test/${file}`, import.meta.url).href) as Promise<Module>;

type ProgramBroker = typeof import("../../packages/server/test/ProgramBroker.ts");
type SharedPostgres = typeof import("../../packages/server/test/SharedPostgres.ts");

/** URL of a new, empty database. */
export const newDatabaseUrl = async (): Promise<string> => {
  const { newDatabase } = await fromServer<SharedPostgres>("SharedPostgres.ts");
  return Effect.runPromise(Effect.scoped(newDatabase));
};

/** As {@link startServer}; the database outlives the server. */
export const startSharedServer = async (
  databaseUrl: string,
  dataDir: string,
  egressAllow: string,
  env: Readonly<Record<string, string>> = {}
): Promise<DemoServer> => {
  const { sharedProgram } = await fromServer<ProgramBroker>("ProgramBroker.ts");
  const settings = { WINNOW_DATABASE_URL: databaseUrl, ...env };
  return startServer(dataDir, egressAllow, settings, (await sharedProgram()) ?? undefined);
};
