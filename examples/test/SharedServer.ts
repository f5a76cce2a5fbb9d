/**
 * A server process with what the test run shares: the bundled program, which starts in half the time, and a database
 * on the PostgreSQL server of the run. For tests whose subject is neither; the demo's tests start what users start.
 */
import * as Effect from "effect/Effect";
import type { Scope } from "effect/Scope";
import { startServer, type DemoServer } from "../demo/server.ts";

interface ProgramBroker {
  readonly sharedProgram: () => Promise<string | null>;
}

interface SharedPostgres {
  readonly newDatabase: Effect.Effect<string, never, Scope>;
}

/** Imported by URL, because it belongs to another TypeScript project. */
const read = async <Module>(file: string): Promise<Module> =>
  (await import(new URL(`../../packages/server/test/${file}`, import.meta.url).href)) as Module;

/** URL of a new, empty database. */
export const newDatabaseUrl = async (): Promise<string> => {
  const { newDatabase } = await read<SharedPostgres>("SharedPostgres.ts");
  return Effect.runPromise(Effect.scoped(newDatabase));
};

/** As {@link startServer}; the database outlives the server. */
export const startSharedServer = async (
  databaseUrl: string,
  dataDir: string,
  egressAllow: string,
  env: Readonly<Record<string, string>> = {}
): Promise<DemoServer> => {
  const { sharedProgram } = await read<ProgramBroker>("ProgramBroker.ts");
  const settings = { WINNOW_DATABASE_URL: databaseUrl, ...env };
  return startServer(dataDir, egressAllow, settings, (await sharedProgram()) ?? undefined);
};
