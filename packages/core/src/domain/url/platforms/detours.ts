/**
 * Pages that no downloader tells from an article: those of search engines, and addresses that lead to the one they
 * contain. Tests: Platform.test.ts.
 */
import { feeds, host, type Platform } from "./Route.ts";

export const DETOURS: ReadonlyArray<Platform> = [
  {
    host: /^(?:www\.)?google\.(?:com?\.)?[a-z]{2,3}$/u,
    routes: [
      [/^\/url\?(?:.*&)?url=/u, "parameter url"],
      [/^\/url\?/u, "parameter q"],
      [/^\/amp\/s\/(.+\..+)$/u, "leads to https://$1"],
      [/^\/amp\/((?!s\/).+\..+)$/u, "leads to http://$1"],
      feeds("search|webhp")
    ]
  },
  {
    // Copies of pages at Google.
    host: host("[\\w-]+.cdn.ampproject.org"),
    routes: [
      [/^\/[cv]\/s\/(.+)$/u, "leads to https://$1"],
      [/^\/[cv]\/((?!s\/).+)$/u, "leads to http://$1"]
    ]
  },
  { host: host("t.umblr.com"), routes: [[/^\/redirect\?/u, "parameter z"]] },
  { host: host("(?:(?:www|m).)?vk.(?:com|ru)"), routes: [[/^\/away\.php\?/u, "parameter to"]] },
  { host: /^(?:(?:www|[a-z]{2})\.)?bing\.com$/u, routes: [feeds("search|[a-z]+/search")] },
  { host: /^(?:(?:www|html|lite)\.)?duckduckgo\.com$/u, routes: [feeds("html|lite")] }
];
