/**
 * Part of MemoryStore: records of the files that attempts store.
 */
import * as Effect from "effect/Effect";
import { filesOwnerOf, type ArtifactOwner, type Extraction } from "../domain/run/Extraction.ts";
import type { LeftFiles, Store } from "../ports/Store.ts";

/** Whether an extraction serves the files of the attempt, and whether it may still store some. */
const useOf = (extractions: ReadonlyArray<Extraction>, { extractionId, attempt }: ArtifactOwner) => {
  const users = extractions.filter((each) => filesOwnerOf(each) === extractionId);
  return {
    isServed: users.some(({ result }) => result?.artifactOwner.attempt === attempt),
    isLive: users.some(
      (each) => each.id === extractionId && each.status === "running" && each.attempt === attempt
    )
  };
};

export const makeNotedFiles = (
  extractions: () => ReadonlyArray<Extraction>
): Pick<typeof Store.Service, "noteFiles" | "findLeftFiles" | "noteRemoval" | "forgetLeftFiles"> => {
  const noted = new Map<string, LeftFiles>();
  const orderOf = ({ removedAtMs }: LeftFiles) => removedAtMs ?? Number.NEGATIVE_INFINITY;
  const keyOf = ({ extractionId, attempt }: ArtifactOwner) => `${extractionId} ${attempt}`;
  return {
    noteFiles: ({ extractionId, attempt }) =>
      Effect.sync(() => {
        const key = keyOf({ extractionId, attempt });
        if (!noted.has(key)) noted.set(key, { extractionId, attempt, removedAtMs: null });
      }),
    noteRemoval: (owner, nowMs) =>
      Effect.sync(() => {
        const files = noted.get(keyOf(owner));
        if (files?.removedAtMs === null) noted.set(keyOf(owner), { ...files, removedAtMs: nowMs });
      }),
    findLeftFiles: (limit) =>
      Effect.sync(() => {
        const all = extractions();
        const orphaned = [...noted.values()]
          .map((files) => ({ files, ...useOf(all, files) }))
          .filter(({ isLive }) => !isLive)
          .sort((a, b) => orderOf(a.files) - orderOf(b.files))
          .slice(0, limit);
        for (const { files, isServed } of orphaned) if (isServed) noted.delete(keyOf(files));
        return orphaned.filter(({ isServed }) => !isServed).map(({ files }) => files);
      }),
    forgetLeftFiles: (owner) => Effect.sync(() => void noted.delete(keyOf(owner)))
  };
};
