/**
 * The command line of the browser: all of it, none of its defaults. Pure.
 *
 * The proxy named here leads nowhere: each page has its own, of its own run, and what is not of a page has no
 * way out. Names are never resolved by the browser.
 */
import { PAGE_HEAP_MB } from "./RenderLimits.ts";

/** Port 9 is "discard" (RFC 863): nothing listens there. */
const NO_WAY_OUT = "http://127.0.0.1:9";

const FEATURES_OFF = [
  // Look for devices in the local network by multicast.
  "MediaRouter",
  "DialMediaRouteProvider",
  "CastMediaRouteProvider",
  "WebRtcHideLocalIpsWithMdns",
  // Fetch on their own account.
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
  // Ask Google, by each page's own way out, what its search offers here, and connect to it.
  "AimEnabled",
  "AimServerEligibilityEnabled",
  "AimServerRequestOnStartupEnabled",
  "PreconnectToSearch",
  // Two processes and half the computing of each page: what would drop down from an address bar that nobody sees.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "BackgroundFetch",
  // Memory: one process for the frames of a page; there is nothing in this browser to keep apart.
  "IsolateOrigins",
  "site-per-process",
  "BackForwardCache",
  "SpareRendererForSitePerProcess",
  "WebTransport",
  "DirectSockets"
];

export interface FlagOptions {
  /** Of this browser alone. */
  readonly profileFolder: string;
  /** Chromium's own sandbox, which it refuses to start under root. */
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
  // It asks for updates all the same, once: of an address that is none.
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
