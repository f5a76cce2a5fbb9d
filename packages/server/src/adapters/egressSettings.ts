/** Allowed private hosts and the upstream proxy, for pages, programs and webhooks. */
import type { InvalidEgressSetting } from "@winnow/adapters/network/guard/InvalidEgressSetting";
import * as Redacted from "effect/Redacted";
import type { Settings } from "../settings/Config.ts";
import { told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { notStarted } from "./notStarted.ts";

export const egressSettings = (settings: Settings) => ({
  allow: settings.egressAllow,
  ...(settings.upstreamProxy === null ? {} : { upstreamProxy: Redacted.value(settings.upstreamProxy) })
});

export const badEgress = <Services>({ setting, message }: InvalidEgressSetting) =>
  notStarted<Services>(
    told`${setting === "allow" ? SETTINGS.egressAllow : SETTINGS.upstreamProxy}: ${message}.`
  );
