/** Allowed private hosts and the upstream proxy, for pages, programs and webhooks. */
import type { InvalidEgressSetting } from "@winnow/adapters/network/guard/InvalidEgressSetting";
import * as Redacted from "effect/Redacted";
import type { Settings } from "../settings/Config.ts";
import { notStarted } from "./notStarted.ts";

export const egressSettings = (settings: Settings) => ({
  allow: settings.egressAllow,
  ...(settings.upstreamProxy === null ? {} : { upstreamProxy: Redacted.value(settings.upstreamProxy) })
});

export const badEgress = <Services>({ setting, message }: InvalidEgressSetting) =>
  notStarted<Services>(
    `${setting === "allow" ? "WINNOW_EGRESS_ALLOW" : "WINNOW_UPSTREAM_PROXY"}: ${message}.`
  );
