/**
 * Part of MemoryStore: word of files that attempts store.
 */
import * as Effect from "effect/Effect";
import { filesOwnerOf, type ArtifactOwner, type Extraction } from "../domain/Extraction.ts";
import type { Store } from "../ports/Store.ts";

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
): Pick<typeof Store.Service, "noteFiles" | "findLeftFiles" | "forgetLeftFiles"> => {
  const noted = new Map<string, ArtifactOwner>();
  const keyOf = ({ extractionId, attempt }: ArtifactOwner) => `${extractionId} ${attempt}`;
  return {
    noteFiles: (owner) => Effect.sync(() => void noted.set(keyOf(owner), owner)),
    findLeftFiles: (limit) =>
      Effect.sync(() => {
        const all = extractions();
        const over = [...noted.values()]
          .map((owner) => ({ owner, ...useOf(all, owner) }))
          .filter(({ isLive }) => !isLive)
          .slice(0, limit);
        for (const { owner, isServed } of over) if (isServed) noted.delete(keyOf(owner));
        return over.filter(({ isServed }) => !isServed).map(({ owner }) => owner);
      }),
    forgetLeftFiles: (owner) => Effect.sync(() => void noted.delete(keyOf(owner)))
  };
};
