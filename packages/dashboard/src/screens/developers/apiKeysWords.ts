/** Texts of the API keys and of MCP. */
import { isFree } from "../../data/free.ts";

export const mcpWords = {
  hint: "AI assistants can extract with your account over MCP.",
  entry: "Add this to the MCP servers of your assistant, with one of your API keys:"
};

export const apiKeysWords = {
  hint: "Programs authenticate with an API key. Extractions created with a key appear here too.",
  create: "Create a key",
  name: "Name",
  nameHint: "For example: nightly import",
  daily: "Maximum credits per day",
  perDay: (credits: string) => `at most ${credits} credits per day`,
  lastUsed: "last used",
  runs: "its extractions",
  used: (count: string, days: number) => `${count} ${isFree ? "extractions" : "credits"} in ${days} days`,
  neverUsed: "never used",
  emptyTitle: "No API keys yet",
  emptyText: "Create one to use Winnow from a program, the command line or an AI assistant.",
  use: "Try it:",
  revoke: "Revoke",
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeText: "Programs that use it lose access at once. This cannot be undone."
};
