/**
 * A process that kills itself before its n-th step: a database statement, or another change outside the process
 * that the program counts. A kill right after a step has the same effect as one before the next step: the server
 * executes what was sent, whether or not anybody waits for the response, and nothing else outside changes between
 * steps.
 */
import { flushCompileCache } from "node:module";
import { Socket } from "node:net";

const lastStep = Number(process.env["TEST_LAST_STEP"]);

/** Steps so far; those of the start are not counted. */
let steps = Number.NEGATIVE_INFINITY;

export const beginSteps = (): void => {
  // The cache is otherwise written at exit, which a killed process never reaches.
  flushCompileCache();
  steps = 0;
};

const killItself = (): never => {
  process.kill(process.pid, "SIGKILL");
  for (;;); // the signal is on its way
};

/** Counts a step, and kills this process instead of executing the last one. */
export const step = <A>(act: () => A): A => {
  steps += 1;
  return steps === lastStep ? killItself() : act();
};

/** The last message of a statement in the extended protocol of PostgreSQL. */
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const isStatement = (data: Buffer): boolean => data[0] === 0x51 || data.subarray(-SYNC.length).equals(SYNC);

// Patched below every driver, so that no statement bypasses it. Pipes carry no such messages.
// eslint-disable-next-line typescript/unbound-method
const { write } = Socket.prototype;
Socket.prototype.write = function (this: Socket, data: Uint8Array | string, ...rest: Array<any>): boolean {
  const send = (): boolean => Reflect.apply(write, this, [data, ...rest]);
  return data instanceof Uint8Array && isStatement(Buffer.from(data.buffer, data.byteOffset, data.length))
    ? step(send)
    : send();
} as typeof write;
