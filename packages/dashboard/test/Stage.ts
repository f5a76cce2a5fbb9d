/**
 * The environment of browser tests: a real server with the built app, two sites on loopback, a webhook
 * receiver, a stand-in for a language model, and an account with credits. Sites, receiver and account are the file's
 * own; the server, its database and the model are those of the test run ({@link sharedStage}), unless the file needs
 * other settings, a restart or another clock.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startFakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";
import { Winnow } from "@winnow/client";
import type { AdminClient } from "@winnow/client/admin";
import { adminOf, createAccount, type DemoAccount, type DemoServer } from "../../../examples/demo/server.ts";
import { startSite } from "../../../examples/site/site.ts";
import { sampleMedia } from "../../../examples/test/SampleMediaBroker.ts";
import { newDatabaseUrl, startSharedServer } from "../../../examples/test/SharedServer.ts";
import {
  makeAuthority,
  openHookReceiver,
  type Authority,
  type HookReceiver
} from "../../server/test/HookReceiver.ts";
import { startTalkSite, type TalkSite } from "./TalkSite.ts";

const CREDITS = 100_000;

/** Tests open more screens per minute than a user, and would have to wait for the default limits. */
const MANY = 100_000;
const LIMITS = { submitsPerMinute: MANY, probesPerMinute: MANY, readsPerMinute: MANY, othersPerMinute: MANY };

const AHEAD_CLOCK = new URL("aheadClock.ts", import.meta.url).href;

export interface Stage extends AsyncDisposable {
  readonly server: DemoServer;
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

/** Path of the system's Chromium; null if there is none. */
export const findChromium = (): string | null =>
  [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    (file) => file !== undefined && existsSync(file)
  ) ?? null;

export interface StageOptions {
  /** A server of its own, which can be restarted and whose clock can be moved. So it has with any further option. */
  readonly own?: boolean;
  /** Hosts that the server may reach, besides those of the stage. */
  readonly hosts?: ReadonlyArray<string>;
  /** Modules that the server's process loads first. */
  readonly imports?: ReadonlyArray<string>;
  /** PEM of an authority that the server trusts. */
  readonly authority?: string;
  /** Further settings of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What tests act on, with the authority of their receivers' certificates. */
interface StageServer extends AsyncDisposable {
  readonly server: DemoServer;
  readonly authority: Authority;
  readonly goAhead: Stage["goAhead"];
  readonly restart: Stage["restart"];
}

/** Every port of loopback: the sites of a shared server are opened after it. */
const LOOPBACK = "127.0.0.1";

const startOwn = async (options: StageOptions): Promise<StageServer> => {
  const { hosts = [], imports = [], authority: trusted = "", env: moreSettings = {} } = options;
  const folder = await mkdtemp(path.join(tmpdir(), "winnow-dashboard-"));
  const model = await startFakeOpenAi();
  const authority = await makeAuthority();
  const aheadFile = path.join(folder, "ahead");
  const authorityFile = path.join(folder, "authority.pem");
  await writeFile(authorityFile, `${authority.cert}\n${trusted}`);
  const settings = {
    WINNOW_LLM_BASE_URL: model.baseUrl,
    WINNOW_LLM_MODEL: "fake",
    OPENAI_API_KEY: "none",
    NODE_EXTRA_CA_CERTS: authorityFile,
    NODE_OPTIONS: [AHEAD_CLOCK, ...imports].map((each) => `--import=${each}`).join(" "),
    TEST_AHEAD_FILE: aheadFile,
    ...moreSettings
  };
  const database = await newDatabaseUrl();
  const start = (env: Record<string, string> = {}): Promise<DemoServer> =>
    startSharedServer(database, path.join(folder, "data"), [LOOPBACK, ...hosts].join(","), {
      ...settings,
      ...env
    });
  const server = { ...(await start()) };
  return {
    server,
    authority,
    goAhead: (ms) => writeFile(aheadFile, String(ms)),
    restart: async () => {
      const { port } = new URL(server.url);
      await server[Symbol.asyncDispose]();
      const again = await start({ WINNOW_PORT: port, WINNOW_ADMIN_TOKEN: server.adminToken });
      Object.assign(server, again, { adminToken: server.adminToken });
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await model.close();
      await rm(folder, { recursive: true, force: true });
    }
  };
};

const SOCKET_VARIABLE = "WINNOW_TEST_STAGE_SOCKET";

type RunBroker = typeof import("../../adapters/test/RunBroker.ts");

/** Imported by URL, because it belongs to another TypeScript project. */
const runBroker = async (): Promise<RunBroker> =>
  (await import(new URL("../../adapters/test/RunBroker.ts", import.meta.url).href)) as RunBroker;

interface SharedStage {
  readonly url: string;
  readonly adminToken: string;
  readonly authority: Authority;
  /** Of a Chromium that can be connected to. */
  readonly browserUrl: string;
}

/** The server, database, model and browser of the test run; null outside of one. */
export const sharedStage = async (): Promise<SharedStage | null> =>
  (await runBroker()).askBroker<SharedStage>(SOCKET_VARIABLE);

/** Many files use it at once. */
const WORKERS = 12;

/** A `globalSetup` of vitest. */
export const setup = async (): Promise<() => Promise<void>> => {
  const { brokerOf } = await runBroker();
  return brokerOf<SharedStage>(SOCKET_VARIABLE, async () => {
    const { startBrowser } = await import("./Driven.ts");
    const [stage, browser] = await Promise.all([
      startOwn({ env: { WINNOW_WORKERS: String(WORKERS) } }),
      startBrowser()
    ]);
    const { url, adminToken } = stage.server;
    return {
      value: { url, adminToken, authority: stage.authority, browserUrl: browser.wsEndpoint() },
      stop: async () => {
        await browser.close();
        await stage[Symbol.asyncDispose]();
      }
    };
  })();
};

const needsOwn = (): Promise<never> =>
  Promise.reject(new Error("The server belongs to the whole test run. Use openStage({ own: true })."));

const joinShared = async (): Promise<StageServer | null> => {
  const shared = await sharedStage();
  if (shared === null) return null;
  const { url, adminToken, authority } = shared;
  const nothing = { [Symbol.asyncDispose]: () => Promise.resolve() };
  return {
    server: { url, adminToken, ...nothing },
    authority,
    goAhead: needsOwn,
    restart: needsOwn,
    ...nothing
  };
};

export const openStage = async (options: StageOptions = {}): Promise<Stage> => {
  const media = path.join(process.env["WINNOW_TEST_FOLDER"] ?? tmpdir(), "winnow-dashboard-media");
  await mkdir(media, { recursive: true });
  const mayShare = Object.keys(options).length === 0;
  const own = (mayShare ? await joinShared() : null) ?? (await startOwn(options));
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
