/**
 * The register of files of MemoryStore: one row an attempt, as the Store port and the rows of extractions say.
 * Tests: files.properties.test.ts.
 */
import * as Effect from "effect/Effect";
import { filesOwnerOf, type ArtifactOwner, type Extraction } from "../domain/run/Extraction.ts";
import { ORPHANS_AGAIN_MS, type OrphanedFiles, type Store } from "../ports/Store.ts";

interface Row extends ArtifactOwner {
  state: "writing" | "served" | "orphan";
  endedAtMs: number | null;
  dueAtMs: number;
}

export interface MemoryFiles {
  readonly port: Pick<typeof Store.Service, "noteFiles" | "takeOrphans" | "forgetFiles">;
  /** An extraction that a decision wrote. */
  readonly written: (before: Extraction | undefined, after: Extraction) => void;
  /** An extraction that was deleted; `rest` are those that its account still has. */
  readonly deleted: (gone: Extraction, rest: ReadonlyArray<Extraction>) => ReadonlyArray<OrphanedFiles>;
}

const orphanOf = ({ extractionId, attempt, endedAtMs }: Row): OrphanedFiles => ({
  extractionId,
  attempt,
  endedAtMs: endedAtMs ?? 0
});

export const makeMemoryFiles = (find: (extractionId: string) => Extraction | undefined): MemoryFiles => {
  const rows = new Map<string, Row>();
  const keyOf = ({ extractionId, attempt }: ArtifactOwner) => `${extractionId} ${attempt}`;
  const put = (owner: ArtifactOwner, state: Row["state"], endedAtMs: number | null): void => {
    const { extractionId, attempt } = owner;
    rows.set(keyOf(owner), { extractionId, attempt, state, endedAtMs, dueAtMs: 0 });
  };
  const isOrphan = ({ state, extractionId, attempt }: Row): boolean => {
    const { status, attempt: current } = find(extractionId) ?? { status: null, attempt: null };
    return state === "orphan" || (state === "writing" && !(status === "running" && current === attempt));
  };
  return {
    port: {
      noteFiles: (owner) =>
        Effect.sync(() => {
          if (rows.get(keyOf(owner))?.state !== "served") put(owner, "writing", null);
        }),
      takeOrphans: ({ nowMs, limit }) =>
        Effect.sync(() => {
          const taken = [...rows.values()]
            .filter((row) => row.dueAtMs <= nowMs && isOrphan(row))
            .sort((left, right) => left.dueAtMs - right.dueAtMs)
            .slice(0, limit);
          for (const row of taken) {
            row.state = "orphan";
            row.endedAtMs ??= nowMs;
            row.dueAtMs = nowMs + ORPHANS_AGAIN_MS;
          }
          return taken.map(orphanOf);
        }),
      forgetFiles: (orphan) =>
        Effect.sync(() => {
          const row = rows.get(keyOf(orphan));
          if (row?.state === "orphan" && row.endedAtMs === orphan.endedAtMs) rows.delete(keyOf(orphan));
        })
    },
    written: (before, { id, attempt, status, completedAtMs }) => {
      if (before === undefined || (before.status === status && before.attempt === attempt)) return;
      if (status === "running") put({ extractionId: id, attempt }, "writing", null);
      if (status === "complete") put({ extractionId: id, attempt }, "served", completedAtMs);
    },
    deleted: (gone, rest) => {
      const owner = filesOwnerOf(gone);
      if (rest.some((each) => filesOwnerOf(each) === owner)) return [];
      const left = [...rows.values()].filter(({ extractionId }) => extractionId === owner);
      for (const row of left) {
        row.state = "orphan";
        row.endedAtMs ??= gone.completedAtMs;
        row.dueAtMs = 0;
      }
      return left.map(orphanOf);
    }
  };
};
