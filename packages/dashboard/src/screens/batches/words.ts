/** Texts of the screen of a batch. */
import { isFree } from "../../data/free.ts";
import { number } from "../../words/format.ts";
import { plural, words } from "../../words/words.ts";

const { linkCount: links } = words;

export const batchPageWords = {
  kind: "Batch",
  name: "Name",
  rename: "Rename",
  progress: "Progress",
  cost: (debited: string, refunded: string) => `${debited} credits debited, ${refunded} refunded`,
  reused: (count: number) => `${number(count)} reused`,
  pausedText: "What has started continues; the rest waits.",
  pause: "Pause",
  resume: "Resume",
  cancel: "Cancel the rest",
  retry: (count: number) => `Retry ${number(count)} failed`,
  asks: {
    cancel: (count: number) => ({
      title: "Cancel the rest?",
      action: "Cancel the rest",
      keep: "Keep it",
      children: `${links(count)} ${plural(count, "has", "have")} not finished. ${plural(count, "It is", "They are")} cancelled${isFree ? "" : " and refunded"}, and cannot be resumed.`
    }),
    retry: (count: number) => ({
      title: "Retry the failed links?",
      action: "Retry",
      children: `${links(count)} ${plural(count, "is", "are")} submitted again${isFree ? "" : " and debited at today's price. What failed was refunded"}.`
    })
  },
  items: "Links",
  all: "All",
  cancelledOrFailed: "Cancelled or failed",
  refused: (count: number) => `${links(count)} refused or deleted`,
  deleted: "Its extraction was deleted."
};
