/** The engine's settings. All have defaults, so nothing must be provided. Tests: the server's Config.test.ts, contract.test.ts. */
import * as Context from "effect/Context";
import type { CreditPack } from "../domain/money/CreditPack.ts";

export interface EngineSettingsShape {
  /** Maximum duration of a run's attempt, by default half an hour; every run must end. */
  readonly runTimeoutMs: number;
  /**
   * Maximum duration of an inspection by submit or probe; after that, the video's length counts as unknown.
   */
  readonly inspectTimeoutMs: number;
  /** How long webhook deliveries are kept; results as long as their plan says. */
  readonly deliveryRetentionDays: number;
  /** People who sign in without being a member get an account of their own. */
  readonly isSignUpOpen: boolean;
  /** In the order shown; sold only if there is a ports/Checkout. */
  readonly creditPacks: ReadonlyArray<CreditPack>;
  /** The operator's note on how to get more credits; null for none. */
  readonly topUpNote: string | null;
  /** URLs that the web app offers to try. */
  readonly sampleUrls: ReadonlyArray<string>;
  /** Minimum free disk space; runs wait below it (ports/FreeSpace). */
  readonly minFreeBytes: number;
  /** Maximum tokens of the language model for one run; a run that needs more fails. */
  readonly llmTokensPerRunMax: number;
  /**
   * Tokens of the language model that an account's fully refunded runs may use in a UTC day before further AI runs
   * are refused.
   */
  readonly refundedTokensPerDayMax: number;
  /** Base URL of artifacts in events, without a trailing slash; the API uses the same. */
  readonly publicUrl: string;
}

export const ENGINE_DEFAULTS: EngineSettingsShape = {
  runTimeoutMs: 1_800_000,
  inspectTimeoutMs: 10_000,
  deliveryRetentionDays: 30,
  isSignUpOpen: false,
  creditPacks: [],
  topUpNote: null,
  sampleUrls: [],
  minFreeBytes: 2 ** 30,
  llmTokensPerRunMax: 1_000_000,
  refundedTokensPerDayMax: 1_000_000,
  publicUrl: "http://127.0.0.1:8787"
};

export class EngineSettings extends Context.Reference<EngineSettingsShape>(
  "@winnow/core/engine/EngineSettings",
  { defaultValue: () => ENGINE_DEFAULTS }
) {}
