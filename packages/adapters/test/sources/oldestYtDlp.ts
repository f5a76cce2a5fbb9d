/** The oldest supported yt-dlp and the tested one: real versions, with the libraries of the lock file; kept beside set-up's own files. */
import { join } from "node:path";
import * as Effect from "effect/Effect";
import {
  installEnvironment,
  type Lock,
  lockOf,
  testedLock
} from "../../src/programs/python/DownloaderEnvironment.ts";
import type { DownloaderEnvironment } from "../../src/programs/python/VersionFile.ts";
import { locate } from "../../src/programs/ExternalPrograms.ts";

const TOOLS = join(import.meta.dirname, "../../../../.tools");

/** Its script solver is of a later version, and it needs none. */
const LOCK = lockOf(
  testedLock().text.replace(
    /^yt-dlp==[^]*$/mu,
    "yt-dlp==2025.4.30 --hash=sha256:53cd82bf13f12a1fe9c564b0004e001156b153c9247fa3cef14d1400ab359150\n"
  )
);

const installed = (lock: Lock): Effect.Effect<DownloaderEnvironment> =>
  Effect.orDie(installEnvironment(TOOLS, lock));

/** Installs it once a checkout. */
export const oldestYtDlp = installed(LOCK);

/** The version of the lock file: PATH's, as set-up installs it, else installed once a checkout. */
export const testedYtDlp: Effect.Effect<Pick<DownloaderEnvironment, "ytDlp">> = Effect.suspend(() => {
  const { "yt-dlp": ytDlp } = locate({});
  const isTested = ytDlp?.includes(`/programs/yt-dlp/${testedLock().version}/`) ?? false;
  return isTested && ytDlp !== null ? Effect.succeed({ ytDlp }) : installed(testedLock());
});
