/**
 * The loopback HTTP proxy of child processes: one server for all runs, which are identified by their credentials.
 * Without credentials it does nothing. Tests: EgressProxy.test.ts, ProxySocket.test.ts.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openOwnedFolder } from "../runtime/OwnedFolder.ts";
import type { ProxySocket } from "./Egress.ts";
import { HEADERS_MAX_BYTES } from "./guard/PinnedAgent.ts";
import {
  BUDGET_EXHAUSTED,
  TOO_MANY_CONNECTIONS,
  UNAUTHENTICATED,
  declineTunnel,
  respond,
  type ProxyAnswer,
  forward,
  tunnel
} from "./ProxyRequests.ts";
import { ProxyRun, type ProxyRunOptions } from "./ProxyRun.ts";

/**
 * Maximum connections of all runs: thirty that read two streams each. Node raises the limit on open files to the system's
 * maximum, above the usual 1024.
 */
const CONNECTIONS_MAX = 1_024;

/**
 * Maximum connections that have not shown credentials of a run. The oldest makes room for a new one: any program on the
 * machine can open them, and those of runs show credentials at once.
 */
const STRANGERS_MAX = 1_024;

/** Children are local, so a header that takes longer is not being sent. */
const HEADERS_TIMEOUT_MS = 10_000;

/** How long a child may keep an idle connection. */
const KEEP_ALIVE_MS = 30_000;

export interface ProxyServer {
  readonly open: (options: ProxyRunOptions) => { readonly run: ProxyRun; readonly url: string };
  /** Opens, once, a Unix socket to this proxy. */
  readonly socket: () => Promise<ProxySocket>;
  /** Revokes the credentials and destroys the connections of a run. */
  readonly closeRun: (run: ProxyRun) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** User and password of a Basic Proxy-Authorization header; empty, which no run has, for anything else. */
const credentialsOf = ({ headers }: IncomingMessage): readonly [user: string, password: string] => {
  const encoded = /^basic +([a-z0-9+/=]+)$/iu.exec(headers["proxy-authorization"] ?? "")?.[1] ?? "";
  const [user = "", password = ""] = Buffer.from(encoded, "base64").toString("latin1").split(":", 2);
  return [user, password];
};

/** The open connections: those of runs, by their first run, and the others, oldest first. */
const makeConnections = () => {
  const strangers = new Set<Socket>();
  const owners = new Map<Socket, ProxyRun>();
  return {
    accept: (socket: Socket): void => {
      strangers.add(socket);
      socket.once("close", () => {
        strangers.delete(socket);
        owners.delete(socket);
      });
      const [oldest] = strangers;
      if (strangers.size > STRANGERS_MAX) oldest?.destroy();
    },
    ownerOf: (socket: Socket): ProxyRun | undefined => owners.get(socket),
    /** False if runs have too many connections. */
    own: (socket: Socket, run: ProxyRun): boolean => {
      if (!owners.has(socket) && owners.size >= CONNECTIONS_MAX) return false;
      strangers.delete(socket);
      owners.set(socket, run);
      return true;
    }
  };
};

/** The run of a request, or the response that rejects it. A connection stays with its first run. */
const admit = (
  runs: ReadonlyMap<string, ProxyRun>,
  connections: ReturnType<typeof makeConnections>,
  request: IncomingMessage
): ProxyRun | ProxyAnswer => {
  const [user, password] = credentialsOf(request);
  const run = runs.get(user);
  if (run === undefined || !run.hasPassword(password)) return UNAUTHENTICATED;
  if ((connections.ownerOf(request.socket) ?? run) !== run) return UNAUTHENTICATED;
  if (run.exhausted) return BUDGET_EXHAUSTED;
  return connections.own(request.socket, run) && run.admit(request.socket) ? run : TOO_MANY_CONNECTIONS;
};

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

const SOCKET_NAME = "proxy.sock";

/** Its path must be short, because those of sockets are limited to 107 characters. */
const openSocket = async (
  proxy: Server
): Promise<{ readonly path: string; readonly close: () => Promise<void> }> => {
  const folder = await openOwnedFolder("winnow-egress", tmpdir());
  const path = join(folder.path, SOCKET_NAME);
  const server = createSocketServer((socket) => proxy.emit("connection", socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  return {
    path,
    close: async () => {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await folder.remove();
    }
  };
};

export const startProxyServer = async (): Promise<ProxyServer> => {
  const runs = new Map<string, ProxyRun>();
  const connections = makeConnections();
  const server = createServer({
    maxHeaderSize: HEADERS_MAX_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: 0,
    noDelay: true
  });
  server.on("connection", connections.accept);
  server.on("request", (request, response) => {
    const admitted = admit(runs, connections, request);
    if (admitted instanceof ProxyRun) void forward(admitted, request, response);
    else respond(request, response, admitted);
  });
  server.on("connect", (request, stream, head) => {
    const child = stream as Socket;
    child.on("error", () => child.destroy());
    const admitted = admit(runs, connections, request);
    if (admitted instanceof ProxyRun) void tunnel(admitted, request, child, head);
    else declineTunnel(child, admitted);
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  const port = await listen(server);
  let socket: ReturnType<typeof openSocket> | null = null;

  const closeRun = async (run: ProxyRun) => {
    runs.delete(run.id);
    await run.close();
  };
  return {
    open: (options) => {
      const run = new ProxyRun(options);
      runs.set(run.id, run);
      return { run, url: `http://${run.id}:${run.password}@127.0.0.1:${port}` };
    },
    closeRun,
    socket: async () => {
      socket ??= openSocket(server);
      return { port, socketPath: (await socket).path };
    },
    close: async () => {
      await Promise.all([...runs.values()].map(closeRun));
      server.closeAllConnections();
      await (await socket)?.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  };
};
