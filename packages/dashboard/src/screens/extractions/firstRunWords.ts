/** Texts of the first run, loaded with it. */
import { isFree } from "../../data/free.ts";

export const firstRunWords = {
  title: "Nothing extracted yet",
  text: `Paste the URL of a video, a photo post or an article to see what ${isFree ? "is there" : "it costs"}.`,
  noCredits: "You have no credits yet. How to get some is in the settings, under",
  url: "URL",
  price: isFree ? "Continue" : "See the price",
  checklist: "First steps",
  dismiss: "Dismiss",
  done: "done",
  steps: {
    extract: "Extract a URL",
    schema: "Save a schema",
    key: "Create an API key",
    webhook: "Add a webhook endpoint"
  }
};
