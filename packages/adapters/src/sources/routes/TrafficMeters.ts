/** Bytes of connections, in both directions, as they leave the machine: with TLS, and with what a proxy is told. */
import type { Socket } from "node:net";

export interface TrafficMeter {
  readonly track: (socket: Socket) => void;
  /** Of all connections so far. */
  readonly bytes: () => number;
}

const bytesOf = ({ bytesRead, bytesWritten }: Socket): number => bytesRead + bytesWritten;

const makeTrafficMeter = (): TrafficMeter => {
  const open = new Set<Socket>();
  let closedBytes = 0;
  return {
    track: (socket) => {
      open.add(socket);
      socket.once("close", () => {
        open.delete(socket);
        closedBytes += bytesOf(socket);
      });
    },
    bytes: () => [...open].reduce((sum, socket) => sum + bytesOf(socket), closedBytes)
  };
};

/** One per name, as long as the process lives: a counter must not go back. */
export const makeTrafficMeters = () => {
  const meters = new Map<string, TrafficMeter>();
  return {
    of: (name: string): TrafficMeter => {
      const meter = meters.get(name) ?? makeTrafficMeter();
      meters.set(name, meter);
      return meter;
    }
  };
};
