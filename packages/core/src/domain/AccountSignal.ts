/**
 * What changed in an account, told to whoever watches it. A signal names the thing; what it is now is read from
 * where it lives.
 */
import * as Schema from "effect/Schema";
import type { Changes } from "./Decision.ts";
import { RunProgress } from "./RunProgress.ts";

export const AccountSignal = Schema.Union([
  /** Made, moved on or deleted. */
  Schema.Struct({ type: Schema.Literal("extraction"), id: Schema.String }),
  /** Runs on. */
  Schema.Struct({ type: Schema.Literal("progress"), id: Schema.String, progress: RunProgress }),
  Schema.Struct({ type: Schema.Literal("balance") }),
  /** Of a webhook: made or attempted. */
  Schema.Struct({ type: Schema.Literal("delivery"), id: Schema.String })
]);
export type AccountSignal = typeof AccountSignal.Type;

export const signalsOf = ({
  inserted,
  updated,
  ledger,
  deliveries
}: Changes): ReadonlyArray<AccountSignal> => [
  ...[...inserted, ...updated].map(({ id }) => ({ type: "extraction" as const, id })),
  ...(ledger.length > 0 ? [{ type: "balance" as const }] : []),
  ...deliveries.map(({ id }) => ({ type: "delivery" as const, id }))
];
