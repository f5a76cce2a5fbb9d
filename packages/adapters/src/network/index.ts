/** The egress guard for other programs, without Effect. */
export { InvalidEgressSetting, parseAllowList, type AllowList } from "./guard/AllowList.ts";
export * from "./guard/ChildEnvironment.ts";
export * from "./Egress.ts";
export * from "./guard/EgressMetrics.ts";
export type { ResolveHost } from "./guard/Guard.ts";
export type { EgressSettings } from "./MakeEgress.ts";
export { refusalSentence, type RefusalReason } from "./guard/EgressRefused.ts";
export type { EgressProfile } from "./guard/Target.ts";
export { parseUpstreamProxy, type UpstreamProxy } from "./guard/UpstreamProxy.ts";
export * from "./guard/VetUrl.ts";
