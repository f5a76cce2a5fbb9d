/**
 * Entry of the process that drives the browser. It isolates the server from a page that makes the browser send
 * unlimited data: the cost stays in this process, which has a memory limit and no state. Does not use Effect, so
 * that it starts fast.
 */
import { createInterface } from "node:readline";
import { type Browser, chromium } from "playwright-core";
import { CLOSE_TIMEOUT_MS, START_TIMEOUT_MS } from "./RenderLimits.ts";
import type { HostAnswer, HostRequest, HostSetup, RenderTask } from "./RenderMessages.ts";
import { Rendering } from "./Rendering.ts";

const send = (answer: HostAnswer): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);

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

const serve = (browser: Browser) => {
  const renderings = new Map<number, Rendering>();

  const render = async (task: RenderTask): Promise<void> => {
    const rendering = new Rendering(browser, task);
    renderings.set(task.id, rendering);
    const answer = await rendering.run();
    renderings.delete(task.id);
    if (rendering.cancelled) {
      await close(rendering);
      return send({ cancelled: task.id });
    }
    send(answer);
    return close(rendering);
  };
  const cancel = (id: number): void => {
    const rendering = renderings.get(id);
    if (rendering === undefined) send({ cancelled: id });
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
    send({ ready: browser.version(), browserPid: await pidOf(browser) });
    const handle = serve(browser);
    for await (const line of lines) handle(JSON.parse(line) as HostRequest);
  } catch (error) {
    send({ notReady: error instanceof Error ? error.message : String(error) });
  }
};

// The end of the input means that the server has exited; the browser ends with its pipe.
await main();
process.exit(0);
