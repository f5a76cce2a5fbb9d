/** Effect's server announces completions to every client, so each argument answers: there are no suggestions. */
import type { CompleteResult } from "effect/ai/McpSchema";
import * as Effect from "effect/Effect";

const NONE: CompleteResult = { completion: { values: [], total: 0, hasMore: false } };

/** For the arguments of a prompt or the parameters of a resource template. */
export const noCompletions = (
  names: ReadonlyArray<string>
): Record<string, () => Effect.Effect<CompleteResult>> =>
  Object.fromEntries(names.map((name) => [name, () => Effect.succeed(NONE)]));
