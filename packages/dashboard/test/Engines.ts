/**
 * Browsers of other makes than Chromium, driven by what each brings itself: WebKit by W3C WebDriver, Firefox by WebDriver
 * BiDi. Both are packages of Debian and Ubuntu: webkit2gtk-driver with xvfb, and firefox-esr.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { openBrowser } from "./Driven.ts";
import { findChromium } from "./Stage.ts";
import { takeAway } from "../../client/test/runtimes/newFeatures.ts";

/** One page of an engine. */
export interface EnginePage extends AsyncDisposable {
  readonly goto: (url: string) => Promise<void>;
  /** The value of an expression, which may be a promise; as JSON. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  /** A picture of the window, as PNG. */
  readonly screenshot: () => Promise<Buffer>;
  /** Of the window, in pixels of CSS. */
  readonly resize: (width: number, height: number) => Promise<void>;
}

/** Only a hang takes this long, even on a busy machine. */
const TIMEOUT_MS = 120_000;

const isOnPath = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));

const ended = (program: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (program.exitCode !== null || program.signalCode !== null) return resolve();
    program.once("exit", () => resolve());
    program.kill();
  });

/** What the pattern finds in the program's output; rejects if it ends first. */
const printed = (program: ChildProcess, outputs: ReadonlyArray<unknown>, pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    for (const output of outputs as ReadonlyArray<Readable>)
      output.on("data", (piece: Buffer) => {
        text += String(piece);
        const found = pattern.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      });
    program.once("exit", () => reject(new Error(`${program.spawnfile} ended: ${text}`)));
  });

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser";

type Answer = Readonly<Record<string, unknown>>;

const openWebKit = async (): Promise<EnginePage> => {
  const screen = ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"];
  const xvfb = spawn("Xvfb", screen, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const display = `:${await printed(xvfb, [xvfb.stdio[3]], /(\d+)\n/u)}`;
  const port = await freePort();
  const env = { ...process.env, DISPLAY: display, GDK_BACKEND: "x11", LIBGL_ALWAYS_SOFTWARE: "1" };
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], { env, stdio: "ignore" });
  const call = async (method: string, place: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${place}`, {
      method,
      body: body === undefined ? null : JSON.stringify(body)
    });
    const { value } = (await response.json()) as { readonly value: unknown };
    if (!response.ok) throw new Error(`${place}: ${JSON.stringify(value)}`);
    return value;
  };
  const started = async (): Promise<string> => {
    const [binary] = globSync(MINI_BROWSERS);
    const capabilities = {
      alwaysMatch: { "webkitgtk:browserOptions": { binary, args: ["--automation"] } }
    };
    for (;;) {
      try {
        return ((await call("POST", "/session", { capabilities })) as Answer)["sessionId"] as string;
      } catch (error) {
        // It listens a moment later.
        if (!(error instanceof TypeError) || driver.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const session = `/session/${await started()}`;
  await call("POST", `${session}/timeouts`, { script: TIMEOUT_MS, pageLoad: TIMEOUT_MS });
  return {
    goto: async (url) => void (await call("POST", `${session}/url`, { url })),
    evaluate: async (expression) => {
      const script = `const end = arguments[0];
        Promise.resolve().then(() => (${expression})).then((value) => end({ value }), (error) => end({ error: String(error) }));`;
      const { value, error } = (await call("POST", `${session}/execute/async`, {
        script,
        args: []
      })) as Answer;
      if (error !== undefined) throw new Error(String(error));
      return value;
    },
    screenshot: async () => Buffer.from((await call("GET", `${session}/screenshot`)) as string, "base64"),
    resize: async (width, height) =>
      void (await call("POST", `${session}/window/rect`, { x: 0, y: 0, width, height })),
    [Symbol.asyncDispose]: async () => {
      await call("DELETE", session);
      await ended(driver);
      await ended(xvfb);
    }
  };
};

/** Commands of WebDriver BiDi and their answers, over one socket. */
const openBidi = async (url: string) => {
  const socket = new WebSocket(url);
  const waiting = new Map<unknown, (answer: Answer) => void>();
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer["id"])?.(answer);
  });
  return (method: string, params: object = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const id = waiting.size + 1;
      waiting.set(id, (answer) =>
        answer["type"] === "success"
          ? resolve(answer["result"] as Answer)
          : reject(new Error(JSON.stringify(answer)))
      );
      socket.send(JSON.stringify({ id, method, params }));
    });
};

const openFirefox = async (): Promise<EnginePage> => {
  const profile = await mkdtemp(path.join(tmpdir(), "winnow-firefox-"));
  const args = [
    "--headless",
    "--remote-debugging-port=0",
    "--no-remote",
    "--profile",
    profile,
    "about:blank"
  ];
  const firefox = spawn("firefox-esr", args, { stdio: ["ignore", "pipe", "pipe"] });
  const address = await printed(firefox, [firefox.stdout, firefox.stderr], /listening on (ws:\S+)/u);
  const call = await openBidi(`${address}/session`);
  await call("session.new", { capabilities: {} });
  const { contexts } = await call("browsingContext.getTree");
  const [{ context } = {}] = contexts as ReadonlyArray<Answer>;
  return {
    goto: async (url) => void (await call("browsingContext.navigate", { context, url, wait: "complete" })),
    evaluate: async (expression) => {
      const wrapped = `Promise.resolve().then(() => (${expression})).then((value) => JSON.stringify({ value }))`;
      const answer = await call("script.evaluate", {
        expression: wrapped,
        target: { context },
        awaitPromise: true
      });
      if (answer["type"] !== "success") throw new Error(JSON.stringify(answer["exceptionDetails"]));
      return JSON.parse(String((answer["result"] as Answer)["value"])).value;
    },
    screenshot: async () =>
      Buffer.from(String((await call("browsingContext.captureScreenshot", { context }))["data"]), "base64"),
    resize: async (width, height) =>
      void (await call("browsingContext.setViewport", { context, viewport: { width, height } })),
    [Symbol.asyncDispose]: async () => {
      await call("session.end").catch(() => undefined);
      await ended(firefox);
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    }
  };
};

/** Chromium with no more than what every engine has had for some years. */
const openOldChromium = async (): Promise<EnginePage> => {
  const driven = await openBrowser();
  const page = await driven.page(await driven.context());
  await page.addInitScript(takeAway);
  return {
    goto: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    screenshot: () => page.screenshot(),
    resize: (width, height) => page.setViewportSize({ width, height }),
    [Symbol.asyncDispose]: () => driven[Symbol.asyncDispose]()
  };
};

export interface Engine {
  readonly isHere: boolean;
  readonly open: () => Promise<EnginePage>;
}

export const ENGINES: Readonly<Record<string, Engine>> = {
  WebKit: {
    isHere: ["WebKitWebDriver", "Xvfb"].every(isOnPath) && globSync(MINI_BROWSERS).length > 0,
    open: openWebKit
  },
  Firefox: { isHere: isOnPath("firefox-esr"), open: openFirefox },
  "Chromium without what other engines lack": { isHere: findChromium() !== null, open: openOldChromium }
};
