/**
 * Checks the optional packages required by the settings before waiting for anything, so that missing ones are
 * reported immediately and not only once the database responds.
 */
import { requirePackage, type OptionalPackageName } from "@winnow/adapters/runtime/OptionalPackage";
import * as Effect from "effect/Effect";
import type { Settings } from "../settings/Config.ts";
import { StartFailed } from "../settings/StartFailed.ts";

const neededBy = (settings: Settings): ReadonlyArray<readonly [OptionalPackageName, string]> => [
  ...(settings.llmModel === null ? [] : [["openai", "OPENAI_API_KEY and WINNOW_LLM_MODEL"] as const]),
  ...(settings.speechModel === null ? [] : [["openai", "WINNOW_SPEECH_MODEL"] as const]),
  ...(settings.artifacts._tag === "Directory"
    ? []
    : [["@bradenmacdonald/s3-lite-client", "WINNOW_ARTIFACTS_URL"] as const]),
  ...(settings.stripeSecretKey === null || settings.role === "worker"
    ? []
    : [["stripe", "STRIPE_SECRET_KEY"] as const])
];

export const requireNeededPackages = (settings: Settings): Effect.Effect<void, StartFailed> =>
  Effect.forEach(
    neededBy(settings),
    ([name, unset]) =>
      Effect.mapError(
        requirePackage(name),
        ({ message }) => new StartFailed({ message: `${message}\nOr unset ${unset}.` })
      ),
    { discard: true }
  );
