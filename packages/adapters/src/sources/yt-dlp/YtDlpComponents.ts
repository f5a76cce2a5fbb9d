/** What the yt-dlp in use needs besides itself: `winnow doctor --programs`. Versions only; `winnow probe` tries sites. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type { ExternalPrograms } from "@winnow/isolation/sandbox/ExternalPrograms";
import { ageDays, ageProblem, missingSince, readPackageVersion, readYtDlpVersion } from "./YtDlpVersion.ts";

export interface YtDlpComponent {
  readonly name: string;
  /** Version; null if missing. */
  readonly found: string | null;
  /** What does not work without it. */
  readonly purpose: string;
  /** What to type; null if only some sites need it. */
  readonly remedy: string | null;
}

const WITHOUT_SCRIPTS = "without it, YouTube offers few formats or none";

const UPDATE = "winnow programs update";

/** Most important first; the packages of a standalone binary cannot be seen. */
export const ytDlpComponents = Effect.fn("YtDlpComponents.report")(function* (
  programs: Pick<ExternalPrograms, "path" | "ytDlp" | "ytDlpPython">
): Effect.fn.Return<ReadonlyArray<YtDlpComponent>> {
  const version = yield* readYtDlpVersion(programs);
  const nowMs = yield* Clock.currentTimeMillis;
  const days = version === null ? null : ageDays(version, nowMs);
  const fresh = `${days === null ? "age unknown" : `${days} days old`}; whether a site works: winnow probe URL`;
  const runsScripts = missingSince("--js-runtimes", version) === null;
  const own: ReadonlyArray<YtDlpComponent> = [
    {
      name: "yt-dlp version",
      found: version,
      purpose: (version === null ? null : ageProblem(version, nowMs)) ?? fresh,
      remedy: version === null ? UPDATE : null
    },
    {
      name: "JavaScript",
      found: runsScripts ? `Node ${process.versions.node} (${process.execPath})` : null,
      purpose: `runs YouTube's player scripts; ${WITHOUT_SCRIPTS}`,
      remedy: runsScripts ? null : UPDATE
    }
  ];
  const { path, ytDlpPython } = programs;
  if (ytDlpPython === null) return own;
  const [solver, browsers] = yield* Effect.all(
    [readPackageVersion(ytDlpPython, "yt-dlp-ejs", path), readPackageVersion(ytDlpPython, "curl_cffi", path)],
    { concurrency: "unbounded" }
  );
  return [
    ...own,
    {
      name: "yt-dlp-ejs",
      found: solver,
      purpose: `solves the challenges in YouTube's player scripts; ${WITHOUT_SCRIPTS}`,
      remedy: solver === null ? UPDATE : null
    },
    {
      name: "curl_cffi",
      found: browsers,
      purpose: "imitates a browser for sites that block other programs, such as TikTok and Vimeo",
      remedy: null
    }
  ];
});
