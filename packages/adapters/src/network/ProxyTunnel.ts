/** Tunnels a CONNECT (RFC 9110, 9.3.6) to a vetted address on the ports of its profile. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import * as Result from "effect/Result";
import { openSocket } from "./guard/EgressRoute.ts";
import { BAD_TARGET, declineTunnel, failureAnswer } from "./ProxyAnswer.ts";
import type { ProxyRun } from "./ProxyRun.ts";
import { EgressRefused, shownHost } from "./guard/EgressRefused.ts";
import { readTarget } from "./guard/Target.ts";

/** Idle tunnels are closed after this time. */
const IDLE_TIMEOUT_MS = 60_000;

const openTo = async (run: ProxyRun, authority: string): Promise<Socket> => {
  const target = readTarget(`https://${authority}/`, run.route.profile);
  if (Result.isFailure(target)) throw new EgressRefused(target.failure, shownHost(authority), 0);
  return openSocket(run.route, target.success.host, target.success.port);
};

/** Closes both ends on an error or when idle, and counts the bytes. */
const join = (run: ProxyRun, child: Socket, server: Socket): void => {
  const close = () => {
    child.destroy();
    server.destroy();
  };
  for (const socket of [child, server]) {
    socket.on("error", close);
    socket.once("close", close);
    socket.setTimeout(IDLE_TIMEOUT_MS, close);
  }
  child.pipe(server);
  server.pipe(child);
  // After the pipes, so that their bytes are counted too.
  child.on("data", () => run.meter(child));
  server.on("data", () => run.meter(child));
};

export const tunnel = async (
  run: ProxyRun,
  request: IncomingMessage,
  child: Socket,
  head: Buffer
): Promise<void> => {
  const authority = request.url ?? "";
  if (!/^[^/?#@\\\s]+:\d{1,5}$/u.test(authority)) return declineTunnel(child, BAD_TARGET);
  try {
    const server = await openTo(run, authority);
    // The child or its run may have ended meanwhile.
    if (child.destroyed || run.closed) return void server.destroy();
    child.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) server.write(head);
    join(run, child, server);
  } catch (error) {
    run.fail(error);
    declineTunnel(child, failureAnswer(error));
    run.meter(child);
  }
};
