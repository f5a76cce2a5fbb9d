/**
 * A folder that is removed with its scope. All users may traverse it (0711): if the tests run as root,
 * PostgreSQL runs as another user, and would otherwise put its data where no test removes them.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";

export const temporaryFolder = (name: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), `winnow-${name}-`));
      chmodSync(folder, 0o711);
      return folder;
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  );
