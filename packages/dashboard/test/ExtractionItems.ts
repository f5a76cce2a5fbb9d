/** Items of the list of extractions, for pages whose list a test answers itself. */

/** After this time on the page's clock, the list has been asked for again (data/cache.ts). */
export const LIST_EVERY_MS = 5_000;

/** One that waits, unless `more` says otherwise. */
export const extractionItem = (number: number, more: object = {}) => ({
  id: `ext_${number}`,
  url: `https://example.com/${number}`,
  status: "queued",
  createdAt: "2026-11-22T03:00:00.000Z",
  completedAt: null,
  creditsDebited: 50,
  creditsRefunded: 0,
  cached: false,
  outcome: null,
  title: `Extraction number ${number}`,
  kind: "video",
  durationSec: 60,
  thumbnail: null,
  madeBy: "api",
  apiKeyName: null,
  ...more
});
