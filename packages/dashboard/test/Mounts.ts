/** Winnow embedded in other servers, and behind a proxy that strips a path prefix. */
import { randomBytes } from "node:crypto";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Winnow } from "@winnow/client";
import { adminOf, createAccount } from "../../../examples/demo/server.ts";
import { patientInspections } from "../../../examples/test/ServerBroker.ts";
import { newDatabaseUrl, startSharedServer } from "../../../examples/test/SharedServer.ts";
import { nextPort, startExample, type Ended } from "../../../examples/test/Stage.ts";

export interface Mount extends AsyncDisposable {
  /** URL of the server as a browser sees it, without a trailing slash. */
  readonly url: string;
  readonly client: Winnow;
  /** A sign-in link; null if the embedding program's cookie is used instead. */
  readonly signInUrl: string | null;
  /** The embedding program's session cookie. */
  readonly cookie: { readonly name: string; readonly value: string } | null;
  /** Stops an embedding program by a signal, twice in a row; null if there is none. */
  readonly stop: (() => Promise<Ended>) | null;
}

export interface Ground {
  readonly dataDir: string;
  /** Host of the sample site. */
  readonly host: string;
}

/** Between the two signals of one Ctrl+C: of the terminal to npm and the program, and of npm to the program. */
const SIGNALS_APART_MS = 20;

/**
 * Starts an embedding example, which prints an account and its key, and listens on PORT with the app under
 * /winnow.
 */
const embedded = async ({ dataDir, host }: Ground, file: string, signal: NodeJS.Signals): Promise<Mount> => {
  const adminToken = `wna_${randomBytes(24).toString("base64url")}`;
  const port = nextPort();
  const url = `http://127.0.0.1:${port}/winnow`;
  const program = startExample(file, [], {
    ...patientInspections,
    WINNOW_DATA_DIR: dataDir,
    WINNOW_EGRESS_ALLOW: host,
    WINNOW_ADMIN_TOKEN: adminToken,
    WINNOW_PUBLIC_URL: url,
    PORT: String(port)
  });
  const [, account = "", apiKey = ""] = await program.printed(/account (\w+) key (\w+)/u);
  const isOwn = file === "embed/hono.ts";
  const [, session = ""] = isOwn ? await program.printed(/session (\S+)/u) : [];
  await program.printed(/listening/u);
  return {
    url,
    client: new Winnow({ apiKey, baseUrl: url }),
    signInUrl: isOwn ? null : (await adminOf({ url, adminToken }).signInLinks.create(account)).url,
    cookie: isOwn ? { name: "session", value: session } : null,
    stop: async () => {
      program.stop(signal);
      await new Promise((resolve) => setTimeout(resolve, SIGNALS_APART_MS));
      program.stop(signal);
      return program.ended;
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]()
  };
};

interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/**
 * Like `handle_path` in Caddy and `proxy_pass http://…/;` in nginx: streams both ways, and does not rewrite
 * responses.
 */
const strippingProxy = async (base: string, toPort: number): Promise<Proxy> => {
  const server = createServer((asked, answer) => {
    if (asked.url?.startsWith(`${base}/`) !== true) return void answer.writeHead(404).end();
    const { method, headers } = asked;
    const to = { host: "127.0.0.1", port: toPort, path: asked.url.slice(base.length), method, headers };
    const passed = request(to, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })
  };
};

const CREDITS = 10_000;

const behindProxy = async ({ dataDir, host }: Ground): Promise<Mount> => {
  const port = nextPort();
  const proxy = await strippingProxy("/tools/winnow", port);
  const server = await startSharedServer(await newDatabaseUrl(), path.join(dataDir, "proxied"), host, {
    ...patientInspections,
    WINNOW_PORT: String(port),
    WINNOW_PUBLIC_URL: proxy.url
  });
  const account = await createAccount(server, CREDITS);
  const link = await adminOf(server).signInLinks.create(account.id);
  return {
    url: proxy.url,
    client: new Winnow({ apiKey: account.apiKey, baseUrl: proxy.url }),
    signInUrl: link.url,
    cookie: null,
    stop: null,
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    }
  };
};

export const MOUNTS: Readonly<Record<string, (ground: Ground) => Promise<Mount>>> = {
  "in a Hono app with a sign-in of its own": (ground) => embedded(ground, "embed/hono.ts", "SIGINT"),
  "in an Express app": (ground) => embedded(ground, "embed/express.ts", "SIGTERM"),
  // Which serves embed/next-route.ts.
  "in a route of Next": (ground) => embedded(ground, "test/nextServer.ts", "SIGTERM"),
  "behind a proxy that cuts off its path": behindProxy
};
