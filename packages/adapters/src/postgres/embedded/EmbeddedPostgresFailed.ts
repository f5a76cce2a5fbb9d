/**
 * The one way the embedded database fails: in words, with what to type.
 */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";

/** The message says what is missing, what the programs said, and what to do. */
export class EmbeddedPostgresFailed extends Schema.TaggedError<EmbeddedPostgresFailed>()(
  "EmbeddedPostgresFailed",
  { message: Schema.String }
) {}

/** The way out that always works; ends a message. */
export const USE_YOUR_OWN =
  "Or use your own PostgreSQL server (15 or newer): set WINNOW_DATABASE_URL=postgres://user:password@host/name";

export const failed = (...sentences: ReadonlyArray<string>): EmbeddedPostgresFailed =>
  new EmbeddedPostgresFailed({ message: sentences.filter((sentence) => sentence !== "").join("\n") });

/** Runs a promise of the file system or of a process; its error is told after what was being done. */
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

/** The error code of Node for a failed system call, such as `ENOENT`. */
export const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;

/** For `.catch`: undefined instead of a failed system call with one of the codes. */
export const toleratingCodes =
  (...codes: ReadonlyArray<string>) =>
  (cause: unknown): undefined => {
    if (codes.includes(codeOf(cause) ?? "")) return undefined;
    throw cause;
  };
