/** Hosts with addresses of their own on this machine: network namespaces, connected by a bridge. Needs root on Linux. */
import { spawnSync } from "node:child_process";
import { readlink } from "node:fs/promises";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";

const run = (...[file, ...args]: [string, ...ReadonlyArray<string>]): void => {
  const { status, stderr, error } = spawnSync(file, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${[file, ...args].join(" ")}: ${error?.message ?? stderr}`);
};

/** Starts a program on a new host, which ends with it. */
export const LAUNCHER = ["unshare", "--net", "--"] as const;

/** What hosts reach: each is the only server of a network, which this process joins with the server's address. */
export type Reached = "database" | "bucket";

interface Network {
  /** Of its bridge. */
  readonly name: string;
  readonly ethernet: string;
  /** The first three bytes of its addresses. */
  readonly prefix: string;
  /** The network device of a host that leads there. */
  readonly device: string;
}

/** Of the addresses for tests of networks (RFC 2544), two networks for each process. */
const NETWORKS: Readonly<Record<Reached, Network>> = {
  database: {
    name: `wqd${process.pid}`,
    ethernet: "02:00:00:00:00:0d",
    prefix: `198.18.${process.pid % 256}`,
    device: "eth0"
  },
  bucket: {
    name: `wqb${process.pid}`,
    ethernet: "02:00:00:00:00:0b",
    prefix: `198.19.${process.pid % 256}`,
    device: "eth1"
  }
};

export const addressOf = (server: Reached): string => `${NETWORKS[server].prefix}.1`;

/** The addresses of all hosts in a server's network. */
export const clientsOf = (server: Reached): string => `${NETWORKS[server].prefix}.0/24`;

const removeBridge = ({ name }: Network) => Effect.sync(() => void spawnSync("ip", ["link", "delete", name]));

const bridge = (network: Network) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      // With an address of its own; else it has that of a host, and loses it with that host.
      run("ip", "link", "add", network.name, "address", network.ethernet, "type", "bridge");
      run("ip", "address", "add", `${network.prefix}.1/24`, "dev", network.name);
      run("ip", "link", "set", network.name, "up");
    }),
    () => removeBridge(network)
  );

/** Until the scope closes. */
export const networks = Effect.forEach(Object.values(NETWORKS), bridge, { discard: true });

/** Why this machine allows no hosts; null if it does. */
export const problem = ((): string | null => {
  try {
    run(...LAUNCHER, "true");
    Effect.runSync(Effect.scoped(networks));
    return null;
  } catch (error) {
    return String(error).trim();
  }
})();

export interface Host {
  /** From now on, everything between it and the servers is lost. */
  readonly cut: (from: ReadonlyArray<Reached>) => Effect.Effect<void>;
  readonly mend: Effect.Effect<void>;
}

const namespaceOf = (pid: number | "self") => Effect.promise(() => readlink(`/proc/${pid}/ns/net`));

/** Connects the host of a program that was started by {@link LAUNCHER}; `number` from 2 to 254. */
export const connectHost = Effect.fnUntraced(function* (pid: number, number: number) {
  const ours = yield* namespaceOf("self");
  yield* Effect.repeat(namespaceOf(pid), {
    until: (theirs) => theirs !== ours,
    schedule: Schedule.spaced("10 millis")
  });
  const there = ["nsenter", "--net", "--target", String(pid), "ip"] as const;
  const cableOf = ({ name }: Network): string => `${name}-${number}`;
  for (const network of Object.values(NETWORKS)) {
    const { device, name, prefix } = network;
    const cable = cableOf(network);
    run("ip", "link", "add", cable, "type", "veth", "peer", "name", device, "netns", String(pid));
    run("ip", "link", "set", cable, "master", name, "up");
    run(...there, "address", "add", `${prefix}.${number}/24`, "dev", device);
    run(...there, "link", "set", device, "up");
  }
  const set = (reached: ReadonlyArray<Reached>, state: "up" | "down") =>
    Effect.sync(() => {
      for (const each of reached) run("ip", "link", "set", cableOf(NETWORKS[each]), state);
    });
  return {
    cut: (from) => set(from, "down"),
    mend: set(["database", "bucket"], "up")
  } satisfies Host;
});
