/**
 * Room for files on the disks that this process works on. Nothing must be provided: without it there is always enough.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";

/** One disk that files are written to. */
export interface Place {
  /** `data`: work files and the embedded database. `artifacts`: files of finished runs. */
  readonly name: "data" | "artifacts";
  /** What an ordinary user may still write. */
  readonly freeBytes: number;
}

export class FreeSpace extends Context.Reference<{
  /** As it is now; a disk that cannot be asked is left out. */
  readonly places: Effect.Effect<ReadonlyArray<Place>>;
}>("@winnow/core/ports/FreeSpace", { defaultValue: () => ({ places: Effect.succeed([]) }) }) {}
