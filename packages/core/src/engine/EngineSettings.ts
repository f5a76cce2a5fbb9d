/**
 * What an operator may set about the engine. Everything has a default, so nothing must be provided.
 */
import * as Context from "effect/Context";
import type { CreditPack } from "../domain/CreditPack.ts";

export interface EngineSettingsShape {
  /** Longest attempt of a run; no run stays without an end (contract 3). */
  readonly runTimeoutMs: number;
  /** Longest look at a source by submit or probe; past it the duration counts as unknown (contract 4). */
  readonly inspectTimeoutMs: number;
  /** Deliveries of webhooks are kept as long. */
  readonly retentionDays: number;
  /** Whoever signs in and is nobody's member gets an account of their own. */
  readonly isSignUpOpen: boolean;
  /** In the order in which they are offered; sold where there is a ports/Checkout. */
  readonly creditPacks: ReadonlyArray<CreditPack>;
  /** What the operator says about more credits; null for nothing. */
  readonly topUpNote: string | null;
  /** With less room on a disk runs wait (ports/FreeSpace). */
  readonly minFreeBytes: number;
  /** Base of artifact URLs in events, without a slash at its end; the API answers the same. */
  readonly publicUrl: string;
}

export const ENGINE_DEFAULTS: EngineSettingsShape = {
  runTimeoutMs: 1_800_000,
  inspectTimeoutMs: 10_000,
  retentionDays: 30,
  isSignUpOpen: false,
  creditPacks: [],
  topUpNote: null,
  minFreeBytes: 1_073_741_824,
  publicUrl: "http://127.0.0.1:8787"
};

export class EngineSettings extends Context.Reference<EngineSettingsShape>(
  "@winnow/core/engine/EngineSettings",
  { defaultValue: () => ENGINE_DEFAULTS }
) {}
