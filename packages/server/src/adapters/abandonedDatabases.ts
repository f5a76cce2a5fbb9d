/** Finds embedded databases whose server process was killed and never restarted, for `winnow doctor`. */
import {
  type AbandonedServer,
  endAbandoned,
  findAbandoned
} from "@winnow/adapters/postgres/embedded/Abandoned";
import * as Effect from "effect/Effect";

export interface AbandonedDatabase extends AbandonedServer {
  /** Null: not attempted. */
  readonly ended: boolean | null;
}

/** All that this user can see; stops them if requested. */
export const abandonedDatabases = (isToEnd: boolean): Effect.Effect<ReadonlyArray<AbandonedDatabase>> =>
  Effect.promise(async () => {
    const found = await findAbandoned();
    return Promise.all(
      found.map(async (server) => ({ ...server, ended: isToEnd ? await endAbandoned(server) : null }))
    );
  });
