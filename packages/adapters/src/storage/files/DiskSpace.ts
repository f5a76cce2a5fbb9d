/** Free space on the disks of given folders. */
import { statfs } from "node:fs/promises";
import { FreeSpace, type Disk } from "@winnow/core/ports/FreeSpace";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

/** Cached, because every run and every scrape asks for it. */
const CACHE_TTL = "1 second";

export type Folders = Readonly<Partial<Record<Disk["name"], string>>>;

/** In bytes; null if it cannot be determined. */
export const freeBytesOf = async (folder: string): Promise<number | null> => {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
};

const measure = async (folders: Folders): Promise<ReadonlyArray<Disk>> => {
  const names = Object.keys(folders) as ReadonlyArray<Disk["name"]>;
  const disks = await Promise.all(
    names.map(async (name) => ({ name, freeBytes: await freeBytesOf(folders[name] ?? "") }))
  );
  return disks.flatMap(({ name, freeBytes }) => (freeBytes === null ? [] : [{ name, freeBytes }]));
};

export const layer = (folders: Folders): Layer.Layer<never> =>
  Layer.effect(
    FreeSpace,
    Effect.map(
      Effect.cachedWithTTL(
        Effect.promise(() => measure(folders)),
        CACHE_TTL
      ),
      (disks) => ({ disks })
    )
  );
