/**
 * Entry of the process that drives the browser. It stands between the two, because a page can make the
 * browser say as much as it likes: what that costs is this process's, which has a memory limit and nothing
 * to lose. Knows no Effect, so that it starts fast.
 */
import { createInterface } from "node:readline";
import { type Browser, chromium } from "playwright-core";
import { CLOSE_TIMEOUT_MS, START_TIMEOUT_MS } from "./RenderLimits.ts";
import type { HostAnswer, HostRequest, HostSetup, RenderTask } from "./RenderMessages.ts";
import { Rendering } from "./Rendering.ts";

const say = (answer: HostAnswer): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);

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
  // Without its browser this process is of no use; its end is how the other side learns of it.
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

const serve = (browser: Browser) => {
  const renderings = new Map<number, Rendering>();

  const render = async (task: RenderTask): Promise<void> => {
    const rendering = new Rendering(browser, task);
    renderings.set(task.id, rendering);
    const answer = await rendering.run();
    renderings.delete(task.id);
    if (rendering.cancelled) {
      await close(rendering);
      return say({ cancelled: task.id });
    }
    say(answer);
    return close(rendering);
  };
  const cancel = (id: number): void => {
    const rendering = renderings.get(id);
    if (rendering === undefined) say({ cancelled: id });
    else rendering.cancel();
  };
  return (request: HostRequest): void => {
    if ("cancel" in request) cancel(request.cancel);
    else void render(request);
  };
};

const main = async (): Promise<void> => {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done === true) return;
  try {
    const browser = await start(JSON.parse(first.value) as HostSetup);
    say({ ready: browser.version(), browserPid: await pidOf(browser) });
    const take = serve(browser);
    for await (const line of lines) take(JSON.parse(line) as HostRequest);
  } catch (error) {
    say({ notReady: error instanceof Error ? error.message : String(error) });
  }
};

// The end of the input is the end of whoever asked; the browser ends with its pipe.
await main();
process.exit(0);
