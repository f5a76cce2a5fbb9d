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

const name = `wq${process.pid}`;

/** Of the addresses for tests of networks (RFC 2544), one network for each process. */
const NETWORK = `198.18.${process.pid % 256}`;

/** The clients, and the address of this process among them. */
export const REACH = { address: `${NETWORK}.1`, clients: `${NETWORK}.0/24` };

const removeBridge = Effect.sync(() => void spawnSync("ip", ["link", "delete", name]));

/** Until the scope closes. */
export const bridge = Effect.acquireRelease(
  Effect.sync(() => {
    run("ip", "link", "add", name, "type", "bridge");
    run("ip", "address", "add", `${REACH.address}/24`, "dev", name);
    run("ip", "link", "set", name, "up");
  }),
  () => removeBridge
);

/** Why this machine allows no hosts; null if it does. */
export const problem = ((): string | null => {
  try {
    run(...LAUNCHER, "true");
    Effect.runSync(Effect.scoped(bridge));
    return null;
  } catch (error) {
    return String(error).trim();
  }
})();

export interface Host {
  /** Cuts it off from all others. */
  readonly cut: Effect.Effect<void>;
  readonly mend: Effect.Effect<void>;
}

const networkOf = (pid: number | "self") => Effect.promise(() => readlink(`/proc/${pid}/ns/net`));

/** Connects the host of a program that was started by {@link LAUNCHER}; `number` from 2 to 254. */
export const connectHost = Effect.fnUntraced(function* (pid: number, number: number) {
  const ours = yield* networkOf("self");
  yield* Effect.repeat(networkOf(pid), {
    until: (theirs) => theirs !== ours,
    schedule: Schedule.spaced("10 millis")
  });
  const cable = `${name}-${number}`;
  const there = ["nsenter", "--net", "--target", String(pid), "ip"] as const;
  run("ip", "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", String(pid));
  run("ip", "link", "set", cable, "master", name, "up");
  run(...there, "address", "add", `${NETWORK}.${number}/24`, "dev", "eth0");
  run(...there, "link", "set", "eth0", "up");
  return {
    cut: Effect.sync(() => run("ip", "link", "set", cable, "down")),
    mend: Effect.sync(() => run("ip", "link", "set", cable, "up"))
  } satisfies Host;
});
