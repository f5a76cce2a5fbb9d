/** The optional package of speech models, as installed beside the server. Tests: the CLI's modelChecks.test.ts. */
import { isInstalled, type PackageMissing, requirePackage } from "@winnow/adapters/runtime/OptionalPackage";
import * as Effect from "effect/Effect";
import { createRequire } from "node:module";

const NAME = "@winnow/local-speech";
const beside = createRequire(import.meta.url);

export const isLocalSpeechInstalled = (): boolean => isInstalled(NAME, beside);

/** Never loads it. */
export const requireLocalSpeech: Effect.Effect<void, PackageMissing> = requirePackage(NAME, beside);

export const loadLocalSpeech: Effect.Effect<typeof import("@winnow/local-speech"), PackageMissing> =
  Effect.andThen(
    requireLocalSpeech,
    Effect.promise(() => import("@winnow/local-speech"))
  );
