/** Texts of the operator's view. */
import { wordOf } from "../../words/words.ts";

export const operatorWords = {
  title: "Operator",
  token: "Admin token",
  tokenHint:
    "WINNOW_ADMIN_TOKEN, or the file admin-token in the data folder. It is kept only until this page closes.",
  wrong: "This is not this server's admin token.",
  enter: "Continue",
  back: "To the web app",
  ready: "Ready",
  create: "Create account",
  find: "Name or ID of an account, or the name of a new one",
  topUp: "Top up",
  toppedUp: (balance: string) => `The balance is now ${balance}`,
  creditsFor: (name: string) => `Credits for ${name}`,
  signInLink: "Sign-in link",
  linkUntil: (date: string) => `Works once, until ${date}.`,
  load: "Load",
  running: "Running",
  waiting: "Queued",
  oldest: "Longest wait",
  seconds: (count: number) => `${count} s`,
  webhooks: "Pending webhooks",
  memory: "Memory of this process",
  disk: (place: string) => `Free disk space (${wordOf({ data: "data folder", artifacts: "files" }, place)})`,
  plan: "Plan",
  failures: "Failures by reason, last 7 days",
  noFailures: "No run has failed.",
  ofProcess: "Counted by the responding process since it started.",
  onProbation: (version: string) => `${version} is on probation: it gets no cookies yet`,
  available: (version: string) => `${version} is available: winnow programs update`,
  reads: (read: string, failed: string) => `${read} read, ${failed} failed`,
  otherHosts: "Other hosts"
};

/** `bot_blocked` is "Bot blocked", so that its row of the docs is found. */
export const reasonText = (reason: string): string =>
  wordOf({ drm: "DRM" }, reason)
    .replaceAll("_", " ")
    .replace(/^./u, (first) => first.toUpperCase());
