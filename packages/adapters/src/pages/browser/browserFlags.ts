/**
 * The complete command line of the browser, without Playwright's defaults. Pure.
 *
 * The proxy here leads nowhere: each page has its own proxy, and everything else has no network access. The browser
 * never resolves names.
 */
import { PAGE_HEAP_MB } from "./RenderLimits.ts";

/** Port 9 is "discard" (RFC 863), where nothing listens. */
const NO_WAY_OUT = "http://127.0.0.1:9";

const FEATURES_OFF = [
  // Multicast discovery of devices in the local network.
  "MediaRouter",
  "DialMediaRouteProvider",
  "CastMediaRouteProvider",
  "WebRtcHideLocalIpsWithMdns",
  // Background requests of the browser itself.
  "OptimizationHints",
  "OptimizationGuideModelDownloading",
  "OptimizationTargetPrediction",
  "Translate",
  "InterestFeedContentSuggestions",
  "CertificateTransparencyComponentUpdater",
  "AutofillServerCommunication",
  "SafeBrowsing",
  "DnsOverHttps",
  "AsyncDns",
  "NetworkTimeServiceQuerying",
  "Prerender2",
  "PreloadTopChromeWebUI",
  // Requests to Google through each page's proxy: search suggestions and preconnects.
  "AimEnabled",
  "AimServerEligibilityEnabled",
  "AimServerRequestOnStartupEnabled",
  "PreconnectToSearch",
  // The omnibox popup, which costs two processes and half of each page's processor time.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "BackgroundFetch",
  // Saves memory by sharing one process among the frames of a page; this browser has no sites to isolate.
  "IsolateOrigins",
  "site-per-process",
  "BackForwardCache",
  "SpareRendererForSitePerProcess",
  "WebTransport",
  "DirectSockets"
];

export interface FlagOptions {
  /** Used by this browser instance only. */
  readonly profileFolder: string;
  /** Chromium's own sandbox, which does not start as root. */
  readonly sandbox: boolean;
}

export const browserFlags = ({ profileFolder, sandbox }: FlagOptions): ReadonlyArray<string> => [
  "--headless",
  "--remote-debugging-pipe",
  `--user-data-dir=${profileFolder}`,
  ...(sandbox ? [] : ["--no-sandbox"]),
  `--proxy-server=${NO_WAY_OUT}`,
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--disable-quic",
  "--dns-prefetch-disable",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  `--disable-features=${FEATURES_OFF.join(",")}`,
  "--disable-blink-features=WebTransport,DirectSockets",
  "--disable-background-networking",
  "--disable-client-side-phishing-detection",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  // It still asks for updates once; this address is invalid.
  "--component-updater=url-source=data:,",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-field-trial-config",
  "--disable-search-engine-choice-screen",
  "--disable-sync",
  "--disable-breakpad",
  "--disable-crash-reporter",
  "--metrics-recording-only",
  "--no-pings",
  "--no-service-autorun",
  "--no-first-run",
  "--no-default-browser-check",
  "--no-startup-window",
  "--password-store=basic",
  "--use-mock-keychain",
  "--deny-permission-prompts",
  "--disable-notifications",
  "--disable-speech-api",
  "--disable-print-preview",
  "--disable-hang-monitor",
  "--disable-prompt-on-repost",
  "--disable-site-isolation-trials",
  "--renderer-process-limit=4",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--disable-software-rasterizer",
  "--mute-audio",
  "--hide-scrollbars",
  "--blink-settings=imagesEnabled=false",
  "--disable-remote-fonts",
  "--autoplay-policy=user-gesture-required",
  `--js-flags=--max-old-space-size=${PAGE_HEAP_MB}`
];
