/** The reasons of refusals in docs/reference: eight platforms in eight situations. */
import { fileURLToPath } from "node:url";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import * as Effect from "effect/Effect";
import { SITUATIONS_OF } from "./platformFacts.ts";
import { type Situation, SITUATIONS } from "./Replica.ts";

export const DOCS = fileURLToPath(new URL("../../../../../docs/reference/refusals.md", import.meta.url));

const RIGHT: Readonly<Record<Situation, string>> = {
  public: "video",
  private: "private",
  removed: "removed",
  login: "login_required",
  "bot check": "bot_blocked",
  "rate limit": "rate_limited",
  geo: "geo_restricted",
  age: "age_restricted"
};

/** By platform, in the order of the situations; null where it has no such answer. */
export type Reasons = ReadonlyMap<string, ReadonlyArray<string | null>>;

export const isRight = (reason: string | null, index: number): boolean =>
  reason === RIGHT[SITUATIONS[index] ?? "public"];

export const reasonsBy = <R>(
  inspect: (url: string) => Effect.Effect<{ readonly facts: SourceFacts }, Failed, R>
): Effect.Effect<Reasons, never, R> =>
  Effect.map(
    Effect.forEach(Object.entries(SITUATIONS_OF), ([platform, situations]) =>
      Effect.map(
        Effect.forEach(SITUATIONS, (situation) => {
          const url = situations[situation];
          if (url === null) return Effect.succeed(null);
          return Effect.match(inspect(url), {
            onFailure: ({ reason }): string => reason,
            onSuccess: ({ facts }) => facts.kind
          });
        }),
        (reasons) => [platform, reasons] as const
      )
    ),
    (all) => new Map(all)
  );

/** How many reasons are right, and which are wrong. */
export const sectionOf = (version: string, reasons: Reasons): string => {
  const told = [...reasons].flatMap(([platform, each]) =>
    each.flatMap((reason, index) =>
      reason === null ? [] : [{ platform, reason, index, right: isRight(reason, index) }]
    )
  );
  const wrong = told.filter(({ right }) => !right);
  return [
    `## yt-dlp ${version}: ${told.length - wrong.length} of ${told.length}`,
    "",
    ...wrong.map(({ platform, reason, index }) => `- ${platform}, ${SITUATIONS[index]}: \`${reason}\``)
  ].join("\n");
};
