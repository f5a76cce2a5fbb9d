/**
 * A change in an account, for watchers. A signal only names what changed; watchers read the current state
 * themselves.
 */
import * as Schema from "effect/Schema";
import type { Changes } from "./Decision.ts";
import { RunProgress } from "./RunProgress.ts";

export const AccountSignal = Schema.Union([
  /** Created, changed state, or deleted. */
  Schema.Struct({ type: Schema.Literal("extraction"), id: Schema.String }),
  /** Of running extractions. */
  Schema.Struct({ type: Schema.Literal("progress"), id: Schema.String, progress: RunProgress }),
  Schema.Struct({ type: Schema.Literal("balance") }),
  /** A webhook delivery was created or attempted. */
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
