/** The oldest supported yt-dlp, with the libraries of the lock file; kept beside set-up's own files. */
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { installEnvironment, lockOf, testedLock } from "../../src/programs/python/DownloaderEnvironment.ts";
import type { ProgramSettings } from "../../src/programs/sandbox/ExternalPrograms.ts";

const TOOLS = join(import.meta.dirname, "../../../../.tools");

/** Its script solver is of a later version, and it needs none. */
const LOCK = lockOf(
  testedLock().text.replace(
    /^yt-dlp==[^]*$/mu,
    "yt-dlp==2025.4.30 --hash=sha256:53cd82bf13f12a1fe9c564b0004e001156b153c9247fa3cef14d1400ab359150\n"
  )
);

/** As the programs of a downloader; installs it once a checkout. */
export const oldestYtDlp: Effect.Effect<ProgramSettings> = installEnvironment(TOOLS, LOCK).pipe(
  Effect.map(({ ytDlp, galleryDl }) => ({ ytDlp, galleryDl })),
  Effect.orDie
);
