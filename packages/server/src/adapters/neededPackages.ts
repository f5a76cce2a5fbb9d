/**
 * The optional packages required by the settings, for `winnow doctor` and the start of the server, which checks them
 * before it waits for anything: missing ones are not reported only once the database responds.
 */
import {
  type OptionalPackageName,
  type PackageMissing,
  requirePackage
} from "@winnow/adapters/runtime/OptionalPackage";
import * as Effect from "effect/Effect";
import { localModelOf } from "../settings/ModelSettings.ts";
import type { Settings } from "../settings/Config.ts";
import { type SettingMessage, told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { orUnset, type StartFailed } from "../settings/StartFailed.ts";
import { requireLocalSpeech } from "./localSpeechPackage.ts";

type Need = readonly [isNeeded: boolean, name: OptionalPackageName, by: SettingMessage];

export const needsOf = ({
  artifactsUrl,
  llmModel,
  oidcIssuer,
  role,
  speechModel,
  stripeSecretKey
}: Settings) => {
  const isWeb = role !== "worker";
  const speechPackage = localModelOf(speechModel) === null ? "openai" : "@winnow/local-speech";
  const needs: ReadonlyArray<Need> = [
    [llmModel !== null, "openai", told`${SETTINGS.openaiApiKey} and ${SETTINGS.llmModel}`],
    [speechModel !== null, speechPackage, told`${SETTINGS.speechModel}`],
    [artifactsUrl._tag !== "Directory", "@bradenmacdonald/s3-lite-client", told`${SETTINGS.artifactsUrl}`],
    [stripeSecretKey !== null && isWeb, "stripe", told`${SETTINGS.stripeSecretKey}`],
    [oidcIssuer !== null && isWeb, "openid-client", told`${SETTINGS.oidcIssuer}`]
  ];
  return needs.filter(([isNeeded]) => isNeeded);
};

const requireHere = (name: OptionalPackageName): Effect.Effect<void, PackageMissing> =>
  name === "@winnow/local-speech" ? requireLocalSpeech : requirePackage(name);

export const requireNeededPackages = (
  settings: Settings,
  require = requireHere
): Effect.Effect<void, StartFailed> =>
  Effect.forEach(needsOf(settings), ([, name, by]) => Effect.mapError(require(name), orUnset(by)), {
    discard: true
  });
