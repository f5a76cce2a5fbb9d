/** The guard as one promise, for callers who make their own connection (contract 10). */
import * as Result from "effect/Result";
import { parseAllowList } from "./AllowList.ts";
import { makeGuard, type ResolveHost } from "./Guard.ts";
import type { RefusalReason } from "./Refusal.ts";
import { readTarget, type EgressProfile } from "./Target.ts";

export interface VetUrlOptions {
  /** Default `page`. */
  readonly profile?: EgressProfile | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveHost | undefined;
  /** Entries `host`, `host:port` or CIDR that may be reached although not public; default none. */
  readonly allow?: ReadonlyArray<string> | undefined;
}

/** Connect to one of `addresses`, and do not resolve the name again. */
export type UrlVerdict =
  | { readonly ok: true; readonly url: string; readonly addresses: ReadonlyArray<string> }
  | { readonly ok: false; readonly reason: RefusalReason };

/** Rejects only when an entry of `allow` cannot be read, with `InvalidEgressSetting` naming it. */
export const vetUrl = async (input: string, options: VetUrlOptions = {}): Promise<UrlVerdict> => {
  const profile = options.profile ?? "page";
  const guard = makeGuard(Result.getOrThrow(parseAllowList(options.allow ?? [])), options.resolve);
  const target = readTarget(input, profile);
  if (Result.isFailure(target)) return { ok: false, reason: target.failure };
  const { url, host, port } = target.success;
  const vetted = await guard.vet(host, port, profile);
  return Result.isSuccess(vetted)
    ? { ok: true, url: url.href, addresses: vetted.success }
    : { ok: false, reason: vetted.failure };
};
