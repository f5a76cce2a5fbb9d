/**
 * One run's use of the proxy: credentials, connections, byte budget and denials. Closing it, or exhausting the
 * budget, destroys all its connections.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import type { UnreachableCause } from "@winnow/core/domain/source/Failed";
import type { Agent } from "undici";
import type { Denial } from "./Egress.ts";
import type { EgressRoute } from "./guard/EgressRoute.ts";
import { makePinnedAgent } from "./guard/PinnedAgent.ts";
import { toEgressFailed } from "./guard/EgressFailed.ts";
import { EgressRefused } from "./guard/EgressRefused.ts";

/** A downloader opens a few besides those of segments; many more would let a page use us for a flood. */
const CONNECTIONS_MAX = 64;

/** Maximum concurrent requests per origin: the segments of a video and an audio stream. */
const CONNECTIONS_PER_ORIGIN_MAX = 32;

/** Maximum denials recorded and logged; a hostile playlist can name a hundred thousand hosts. */
const DENIALS_MAX = 100;

/** 128 bits each, as recommended for session tokens. */
const CREDENTIAL_BYTES = 16;

export interface ProxyRunOptions {
  readonly route: EgressRoute;
  readonly budgetBytes: number;
  /** Called for every denial; `isRecorded` until the maximum is reached. */
  readonly onRefused: (refused: EgressRefused, isRecorded: boolean) => void;
  /** Called for every connection that could not be made for another reason. */
  readonly onFailed: (error: unknown) => void;
}

export class ProxyRun {
  readonly id = randomBytes(CREDENTIAL_BYTES).toString("hex");
  readonly password = randomBytes(CREDENTIAL_BYTES).toString("hex");
  readonly route: EgressRoute;
  readonly agent: Agent;
  readonly denials: Array<Denial> = [];
  /** Why the newest connection that could not be made failed; children only learn that the proxy failed. */
  unreachableCause: UnreachableCause | null = null;
  readonly #onRefused: ProxyRunOptions["onRefused"];
  readonly #onFailed: ProxyRunOptions["onFailed"];
  readonly #budgetBytes: number;
  /** The children's connections with the bytes counted so far. */
  readonly #connections = new Map<Socket, number>();
  readonly #onConnection = new Set<() => void>();
  /** In both directions between the children and the proxy, up to the last chunk. */
  #bytesUsed = 0;
  #closed = false;

  constructor(options: ProxyRunOptions) {
    this.route = options.route;
    this.#budgetBytes = options.budgetBytes;
    this.#onRefused = options.onRefused;
    this.#onFailed = options.onFailed;
    this.agent = makePinnedAgent(options.route, CONNECTIONS_PER_ORIGIN_MAX);
  }

  get exhausted(): boolean {
    return this.#bytesUsed >= this.#budgetBytes;
  }

  get closed(): boolean {
    return this.#closed;
  }

  hasPassword(password: string): boolean {
    const [given, own] = [Buffer.from(password), Buffer.from(this.password)];
    return given.length === own.length && timingSafeEqual(given, own);
  }

  /** Assigns the connection to this run; false if it has too many. */
  admit(socket: Socket): boolean {
    if (this.#connections.has(socket)) return true;
    if (this.#connections.size >= CONNECTIONS_MAX) return false;
    this.#connections.set(socket, 0);
    for (const notify of this.#onConnection) notify();
    socket.once("close", () => {
      this.meter(socket);
      this.#connections.delete(socket);
    });
    return true;
  }

  /** Calls the listener at every new connection until the returned function is called. */
  onConnection(listener: () => void): () => void {
    this.#onConnection.add(listener);
    return () => void this.#onConnection.delete(listener);
  }

  /** Counts the bytes since the last call; called for every chunk. */
  meter(socket: Socket): void {
    const counted = this.#connections.get(socket);
    if (counted === undefined) return;
    const passed = socket.bytesRead + socket.bytesWritten;
    // Bytes queued on a destroyed socket no longer count.
    if (passed <= counted) return;
    this.#connections.set(socket, passed);
    this.#bytesUsed += passed - counted;
    if (this.exhausted) this.#destroyConnections();
  }

  deny(refused: EgressRefused): void {
    const isRecorded = this.denials.length < DENIALS_MAX;
    const { host, port, reason } = refused;
    if (isRecorded) this.denials.push({ host, port, reason });
    this.#onRefused(refused, isRecorded);
  }

  /** An attempt to connect for a child failed. */
  fail(error: unknown): void {
    if (error instanceof EgressRefused) return this.deny(error);
    this.unreachableCause = toEgressFailed(error, 0).unreachableCause ?? null;
    this.#onFailed(error);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#destroyConnections();
    await this.agent.destroy();
  }

  #destroyConnections(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }
}
