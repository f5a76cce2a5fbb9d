/**
 * Finds the browser (by setting or by its usual names on PATH) and playwright-core, which drives it, without loading
 * or starting either; and the browser's command line.
 */
import { execFile } from "node:child_process";
import { isAbsolute } from "node:path";
import { promisify } from "node:util";
import { PAGE_HEAP_MB } from "./RenderLimits.ts";
import { installCommand, isInstalled } from "../../runtime/OptionalPackage.ts";
import { isExecutable, onPath } from "@winnow/isolation/sandbox/programFiles";

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

interface FlagOptions {
  /** Used by this browser instance only. */
  readonly profileFolder: string;
  /** Chromium's own sandbox, which does not start as root. */
  readonly sandbox: boolean;
}

/**
 * The complete command line of the browser, without Playwright's defaults. Pure.
 *
 * The proxy here leads nowhere: each page has its own proxy, and everything else has no network access. The browser
 * never resolves names.
 */
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

/** Names of Chromium and Chromium-based browsers. */
const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/** Time limit of `--version`, which does not start the browser; generous for cold disks. */
const VERSION_TIMEOUT_MS = 10_000;

/** Absolute path; null if there is none. A setting that names no program, such as "off", disables it. */
export const findChromium = (setting?: string | null, path = process.env["PATH"] ?? ""): string | null => {
  if (setting !== undefined && setting !== null && setting !== "") {
    return isAbsolute(setting) && isExecutable(setting) ? setting : null;
  }
  for (const name of NAMES) {
    const found = onPath(name, path);
    if (found !== null) return found;
  }
  return null;
};

/** Null if it does not run. */
const versionOf = async (program: string): Promise<string | null> => {
  try {
    const env = { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8" };
    const { stdout } = await promisify(execFile)(program, ["--version"], {
      env,
      timeout: VERSION_TIMEOUT_MS
    });
    return /\d[\d.]*/u.exec(stdout)?.[0] ?? null;
  } catch {
    return null;
  }
};

/** How to install a browser. */
const REMEDY = process.platform === "darwin" ? "brew install --cask chromium" : "apt-get install -y chromium";

/** Part of the report of `winnow doctor`. */
export interface ChromiumReport {
  readonly name: "chromium";
  readonly path: string | null;
  /** "off" if the operator disabled it. */
  readonly version: string | null;
  readonly required: false;
  readonly problem: string | null;
  readonly remedy: string | null;
}

const NOT_FOUND = "not found; pages that scripts render are read without rendering";

export const reportChromium = async (setting?: string | null): Promise<ChromiumReport> => {
  const report = { name: "chromium", required: false } as const;
  const path = findChromium(setting);
  if (path === null) {
    return setting === "off"
      ? { ...report, path, version: "off", problem: null, remedy: null }
      : { ...report, path, version: null, problem: NOT_FOUND, remedy: REMEDY };
  }
  const version = await versionOf(path);
  if (version === null) {
    return { ...report, path, version, problem: "found, but it does not run", remedy: REMEDY };
  }
  return isInstalled("playwright-core")
    ? { ...report, path, version, problem: null, remedy: null }
    : {
        ...report,
        path,
        version,
        problem: "needs playwright-core",
        remedy: installCommand("playwright-core")
      };
};
