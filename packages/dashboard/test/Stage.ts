/**
 * The environment of browser tests: a real server with the built app, two sites on loopback, a webhook
 * receiver, a stand-in for a language model, and an account with credits. Sites, receiver and account are the file's
 * own; the server, its database and the model are those of the test run ({@link runServer}), unless the file needs
 * other settings, a restart or another clock.
 */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Winnow } from "@winnow/client";
import type { AdminClient } from "@winnow/client/admin";
import { adminOf, createAccount, type DemoAccount, type DemoServer } from "../../../examples/demo/server.ts";
import { startSite } from "../../../examples/site/site.ts";
import { sampleMedia } from "../../../examples/test/SampleMediaBroker.ts";
import { prepareServer, runServer, type ServerOptions } from "../../../examples/test/ServerBroker.ts";
import { openHookReceiver, type Authority, type HookReceiver } from "../../server/test/HookReceiver.ts";
import { startTalkSite, type TalkSite } from "./TalkSite.ts";

const CREDITS = 100_000;

/** Tests open more screens per minute than a user, and would have to wait for the default limits. */
const MANY = 100_000;
const LIMITS = { submitsPerMinute: MANY, probesPerMinute: MANY, readsPerMinute: MANY, othersPerMinute: MANY };

const AHEAD_CLOCK = new URL("aheadClock.ts", import.meta.url).href;

type RunningServer = Pick<DemoServer, "url" | "adminToken">;

export interface Stage extends AsyncDisposable {
  readonly server: RunningServer;
  readonly app: string;
  readonly site: string;
  readonly talks: TalkSite;
  readonly receiver: HookReceiver;
  readonly account: DemoAccount;
  readonly client: Winnow;
  /** Creates a one-time sign-in link. */
  readonly signInUrl: () => Promise<string>;
  readonly admin: AdminClient;
  /** Sets how far the server's clock is ahead of the real time, in milliseconds. */
  readonly goAhead: (ms: number) => Promise<void>;
  /** Stops the server and starts it again on the same address and data. */
  readonly restart: () => Promise<void>;
}

/** Chromium with a window, in which pages are kept for the back button, and the one without, which takes less. */
const WITH_WINDOW = ["chromium", "chromium-browser", "google-chrome"];
const WITHOUT_WINDOW = "chromium-headless-shell";

/** Path of the system's Chromium; null if there is none. */
export const findChromium = (needsWindow = false): string | null =>
  [
    process.env["CHROMIUM"],
    ...[...(needsWindow ? [] : [WITHOUT_WINDOW]), ...WITH_WINDOW].map((name) => `/usr/bin/${name}`)
  ].find((file) => file !== undefined && existsSync(file)) ?? null;

export interface StageOptions extends ServerOptions {
  /** A server of its own, which can be restarted and whose clock can be moved. So it has with any further option. */
  readonly own?: boolean;
  /** Modules that the server's process loads first. */
  readonly imports?: ReadonlyArray<string>;
}

/** What tests act on, with the authority of their receivers' certificates. */
interface StageServer extends AsyncDisposable {
  readonly server: RunningServer;
  readonly authority: Authority;
  readonly goAhead: Stage["goAhead"];
  readonly restart: Stage["restart"];
}

const startOwn = async (options: StageOptions): Promise<StageServer> => {
  const { imports = [], env = {}, ...others } = options;
  const prepared = await prepareServer({
    ...others,
    env: { NODE_OPTIONS: [AHEAD_CLOCK, ...imports].map((each) => `--import=${each}`).join(" "), ...env }
  });
  const aheadFile = path.join(prepared.folder, "ahead");
  const start = (more: Record<string, string> = {}): Promise<DemoServer> =>
    prepared.start({ TEST_AHEAD_FILE: aheadFile, ...more });
  const server = { ...(await start()) };
  return {
    server,
    authority: prepared.authority,
    goAhead: (ms) => writeFile(aheadFile, String(ms)),
    restart: async () => {
      const { port } = new URL(server.url);
      await server[Symbol.asyncDispose]();
      const again = await start({ WINNOW_PORT: port, WINNOW_ADMIN_TOKEN: server.adminToken });
      Object.assign(server, again, { adminToken: server.adminToken });
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await prepared[Symbol.asyncDispose]();
    }
  };
};

const needsOwn = (): Promise<never> =>
  Promise.reject(new Error("The server belongs to the whole test run. Use openStage({ own: true })."));

const joinShared = async (): Promise<StageServer> => {
  const { value, stop } = await runServer();
  return {
    server: value,
    authority: value.authority,
    goAhead: needsOwn,
    restart: needsOwn,
    [Symbol.asyncDispose]: stop
  };
};

export const openStage = async (options: StageOptions = {}): Promise<Stage> => {
  const media = path.join(process.env["WINNOW_TEST_FOLDER"] ?? tmpdir(), "winnow-dashboard-media");
  await mkdir(media, { recursive: true });
  const mayShare = Object.keys(options).length === 0;
  const own = await (mayShare ? joinShared() : startOwn(options));
  const { server, authority, goAhead, restart } = own;
  const sample = await sampleMedia();
  const site = await startSite(sample.folder);
  const talks = await startTalkSite(path.join(media, "talks"));
  const receiver = await openHookReceiver(authority);
  const account = await createAccount(server, CREDITS);
  const admin = adminOf(server);
  await admin.accounts.update(account.id, { limits: LIMITS });
  return {
    server,
    app: `${server.url}/app/`,
    site: site.url,
    talks,
    receiver,
    account,
    client: new Winnow({ apiKey: account.apiKey, baseUrl: server.url }),
    admin,
    signInUrl: async () => (await admin.signInLinks.create(account.id)).url,
    goAhead,
    restart,
    [Symbol.asyncDispose]: async () => {
      await own[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await sample.stop();
      await talks[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    }
  };
};
