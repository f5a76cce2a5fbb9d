/** The egress guard for other packages: the service `Egress`, and `vetUrl` as a promise. Tests: VetUrl.test.ts. */
export * from "./Egress.ts";
export type { EgressSettings } from "./GuardedEgress.ts";
export { EgressFailed, EgressReason, ProxyFailed } from "./guard/EgressFailed.ts";
export { deniedConnections, refusalSentence, type RefusalReason } from "./guard/EgressRefused.ts";
export { parseUpstreamProxy, type UpstreamProxy } from "./guard/UpstreamProxy.ts";
export {
  InvalidEgressSetting,
  parseAllowList,
  vetUrl,
  type AllowList,
  type ResolveHost,
  type UrlVerdict,
  type VetUrlOptions
} from "./guard/Guard.ts";
export type { EgressProfile } from "./guard/Target.ts";
