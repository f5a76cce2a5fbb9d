/** Free space on the disks that this process writes to. Optional: without it, space is assumed to be sufficient. Tests: Outages.test.ts. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";

/** A disk that files are written to. */
export interface Disk {
  /** `data`: work files and the embedded database. `artifacts`: files of finished runs. */
  readonly name: "data" | "artifacts";
  /** Bytes available to an unprivileged user. */
  readonly freeBytes: number;
}

export class FreeSpace extends Context.Reference<{
  /** Current values; disks that cannot be queried are left out. */
  readonly disks: Effect.Effect<ReadonlyArray<Disk>>;
}>("@winnow/core/ports/FreeSpace", { defaultValue: () => ({ disks: Effect.succeed([]) }) }) {}
