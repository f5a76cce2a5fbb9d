/**
 * Entry of the process that drives the browser. It isolates the server from a page that makes the browser send
 * unlimited data: the cost stays in this process, which has a memory limit and no state. Does not use Effect, so
 * that it starts fast. The browser ends with its pipe to this process. Tests: Survival.test.ts, ChromiumRenderer.test.ts.
 */
import { type Browser, chromium } from "playwright-core";
import { jsonFrame } from "@winnow/isolation/process/Frames";
import { serveTasks } from "@winnow/isolation/process/serveTasks";
import { CLOSE_TIMEOUT_MS, START_TIMEOUT_MS } from "./RenderLimits.ts";
import type { HostReady, HostSetup, RenderTask } from "./RenderMessages.ts";
import { Rendering } from "./Rendering.ts";

const start = async ({ command, environment, flags }: HostSetup): Promise<Browser> => {
  const [executablePath = "", ...args] = command;
  const browser = await chromium.launch({
    executablePath,
    args: [...args, ...flags],
    ignoreDefaultArgs: true,
    env: { ...environment },
    timeout: START_TIMEOUT_MS,
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false
  });
  // Without its browser this process is useless; its exit notifies the server.
  browser.on("disconnected", () => process.exit(1));
  return browser;
};

const pidOf = async (browser: Browser): Promise<number> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.find(({ type }) => type === "browser")?.id ?? 0;
};

const close = async (rendering: Rendering): Promise<void> => {
  const timer = setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS);
  await rendering.close();
  clearTimeout(timer);
};

// If the browser does not start, standard error says why.
const browser = await start(JSON.parse(process.argv[2] ?? "") as HostSetup);
const ready: HostReady = { browserPid: await pidOf(browser) };

serveTasks(async ({ header }, cancelled) => {
  const rendering = new Rendering(browser, header as RenderTask);
  cancelled.addEventListener("abort", () => rendering.cancel());
  const answer = await rendering.run();
  const closed = close(rendering);
  // A cancelled one has ended once its page is closed; others are answered first.
  if (cancelled.aborted) await closed;
  return jsonFrame(answer);
}, ready);
