/** The egress guard for other programs, without Effect. */
export { parseAllowList, type AllowList } from "./AllowList.ts";
export * from "./ChildEnvironment.ts";
export * from "./Egress.ts";
export * from "./EgressMetrics.ts";
export type { ResolveHost } from "./Guard.ts";
export * from "./InvalidEgressSetting.ts";
export type { EgressSettings } from "./MakeEgress.ts";
export { refusalSentence, type RefusalReason } from "./EgressRefused.ts";
export type { EgressProfile } from "./Target.ts";
export { parseUpstreamProxy, type UpstreamProxy } from "./UpstreamProxy.ts";
export * from "./VetUrl.ts";
