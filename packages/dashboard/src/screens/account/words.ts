/** Texts of the account. */
import { plural } from "../../words/words.ts";

export const accountWords = {
  facts: "Account",
  name: "Name",
  id: "ID",
  plan: "Plan",
  runningMax: "Running extractions",
  waitingMax: "Queued extractions",
  maxDuration: "Video length",
  retention: "Retention",
  upTo: (limit: string) => `up to ${limit}`,
  days: (count: number) => `${count} ${plural(count, "day", "days")}`,
  look: "Appearance",
  theme: "Theme",
  themes: { system: "System", light: "Light", dark: "Dark" },
  shortcuts: "Single-key shortcuts",
  signOut: "Sign out",
  sessions: "Sessions",
  thisBrowser: "this browser",
  someBrowser: "Unknown browser",
  signedInAt: "since",
  members: "Members",
  membersHint:
    "People who may sign in through your identity provider, without a link from the operator. An invited " +
    "person accepts at the next sign-in, and then has full access to the account.",
  memberEmail: "E-mail address",
  addMember: "Invite",
  invitation: {
    since: "invited until",
    end: "Withdraw",
    title: (name: string) => `Withdraw the invitation of ${name}?`,
    text: "The person can no longer accept it. You can invite them again."
  },
  membership: {
    since: "member since",
    end: "Remove",
    title: (name: string) => `Remove ${name}?`,
    text: "They are signed out at once and cannot sign in again."
  },
  madeThese: "They made:",
  madeKey: (name: string) => `API key “${name}”`,
  madeEndpoint: (url: string) => `Webhook endpoint ${url}`,
  madeInvitation: (email: string) => `Invitation of ${email}`,
  revokeMade: "Revoke all of it. Programs that use these keys stop working at once.",
  signOutAll: "Sign out everywhere",
  signOutAllText:
    "All browsers are signed out, including this one, and sign-in links and links to results stop working."
};
