/** The disks a process writes to. */
import * as DiskSpace from "@winnow/adapters/storage/files/DiskSpace";
import type * as Layer from "effect/Layer";

/** `artifacts` is null if they are in a bucket. */
export const freeSpace = (dataDir: string, artifacts: string | null): Layer.Layer<never> =>
  DiskSpace.layer({ data: dataDir, ...(artifacts === null ? {} : { artifacts }) });

export const freeBytesOf = DiskSpace.freeBytesOf;
