/** The embedded database's errors: the problem and the command that fixes it, or the folder's user. Tests: EmbeddedPostgres.test.ts. */
import { isDiskFullCode } from "@winnow/core/ports/Unavailable";
import { codeOf } from "@winnow/isolation/runtime/ErrorCode";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";

/** The message states the problem, the output of the programs, and the remedy. */
export class EmbeddedPostgresFailed extends Schema.TaggedError<EmbeddedPostgresFailed>()(
  "EmbeddedPostgresFailed",
  { message: Schema.String }
) {}

/** Another process, or another part of this one, owns the folder; its server is ready, or in another container. */
export class DataFolderInUse extends Schema.TaggedError<DataFolderInUse>()("DataFolderInUse", {
  /** As the owner sees itself. */
  ownerPid: Schema.Number,
  ownerHost: Schema.String,
  /** Of the database, on 127.0.0.1; null if that is another container's. */
  port: Schema.NullOr(Schema.Number)
}) {
  override get message(): string {
    return `The database of this folder belongs to the running process ${this.ownerPid} on "${this.ownerHost}".`;
  }
}

/** The remedy that always works; ends a message. */
export const USE_YOUR_OWN =
  "Or use your own PostgreSQL server (15 or newer): set WINNOW_DATABASE_URL=postgres://user:password@host/name";

export const failed = (...sentences: ReadonlyArray<string>): EmbeddedPostgresFailed =>
  new EmbeddedPostgresFailed({ message: sentences.filter((sentence) => sentence !== "").join("\n") });

/** The message of PostgreSQL's programs for a full disk. */
const FULL = /No space left on device|Disk quota exceeded/u;

export const isFull = (cause: unknown): boolean =>
  isDiskFullCode(codeOf(cause)) || FULL.test(cause instanceof Error ? cause.message : String(cause));

export const diskFull = (doing: string, folder: string): EmbeddedPostgresFailed =>
  failed(`${doing}: the disk of ${folder} is full. Free up space, or set another WINNOW_DATA_DIR.`);

/** Runs a promise of the file system or of a process; its error message begins with `doing`. */
export const attempt = <A>(
  doing: string,
  run: (signal: AbortSignal) => Promise<A>
): Effect.Effect<A, EmbeddedPostgresFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      cause instanceof EmbeddedPostgresFailed
        ? cause
        : failed(`${doing}: ${cause instanceof Error ? cause.message : String(cause)}`, USE_YOUR_OWN)
  });
