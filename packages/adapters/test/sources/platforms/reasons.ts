/** The table of the reasons of refusals in docs/reference: eight platforms in eight situations. */
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

const rowOf = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`;

/** Without the platforms that an earlier version has with the same reasons. */
export const sectionOf = (version: string, reasons: Reasons, earlier?: Reasons): string => {
  const cells = [...reasons.values()].flatMap((each) =>
    each.flatMap((reason, index) => (reason === null ? [] : [isRight(reason, index)]))
  );
  const rows = [...reasons]
    .filter(([platform, each]) => JSON.stringify(earlier?.get(platform)) !== JSON.stringify(each))
    .map(([platform, each]) =>
      rowOf([
        platform,
        ...each.map((reason, index) =>
          reason === null ? "–" : isRight(reason, index) ? `\`${reason}\`` : `**\`${reason}\`**`
        )
      ])
    );
  return [
    `## yt-dlp ${version}: ${cells.filter(Boolean).length} of ${cells.length}`,
    "",
    rowOf(["", ...SITUATIONS]),
    rowOf(["", ...SITUATIONS].map(() => "---")),
    ...rows
  ].join("\n");
};
