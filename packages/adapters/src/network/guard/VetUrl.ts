/** The guard as one promise, for callers who open the connection themselves. */
import * as Result from "effect/Result";
import { parseAllowList } from "./AllowList.ts";
import { makeGuard, type ResolveHost } from "./Guard.ts";
import type { RefusalReason } from "./EgressRefused.ts";
import { readTarget, type EgressProfile } from "./Target.ts";

export interface VetUrlOptions {
  /** Default `page`. */
  readonly profile?: EgressProfile | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveHost | undefined;
  /** Non-public hosts that are allowed: `host`, `host:port` or CIDR; default none. */
  readonly allow?: ReadonlyArray<string> | undefined;
}

/** Connect to one of `addresses` without resolving the name again. */
export type UrlVerdict =
  | { readonly ok: true; readonly url: string; readonly addresses: ReadonlyArray<string> }
  | { readonly ok: false; readonly reason: RefusalReason };

/** Rejects only with `InvalidEgressSetting`, for an invalid entry of `allow`. */
export const vetUrl = async (input: string, options: VetUrlOptions = {}): Promise<UrlVerdict> => {
  const profile = options.profile ?? "page";
  const guard = makeGuard(Result.getOrThrow(parseAllowList(options.allow ?? [])), options.resolve);
  const target = readTarget(input, profile);
  if (Result.isFailure(target)) return { ok: false, reason: target.failure };
  const { url, host, port } = target.success;
  const verdict = await guard.vet(host, port, profile);
  return Result.isSuccess(verdict)
    ? { ok: true, url: url.href, addresses: verdict.success }
    : { ok: false, reason: verdict.failure };
};
