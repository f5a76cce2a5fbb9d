/**
 * Resources made once per test run, when the first file asks for them. vitest runs `brokerOf` in its own process
 * (`globalSetup`); test files ask over a socket whose path is in their environment. A program started separately
 * (a benchmark) finds no path there and makes its own.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

type Answer<A> = { readonly value: A } | { readonly error: string };

/** The response of the test run's broker, as JSON; null if none is running. */
export const askBroker = async <A>(variable: string): Promise<A | null> => {
  const path = process.env[variable];
  if (path === undefined) return null;
  const answer = JSON.parse(await text(connect(path))) as Answer<A>;
  if ("error" in answer) throw new Error(answer.error);
  return answer.value;
};

/** A `globalSetup` of vitest; its return value runs after all tests. */
export const brokerOf =
  <A>(variable: string, make: () => Promise<{ readonly value: A; readonly stop: () => Promise<void> }>) =>
  async (): Promise<() => Promise<void>> => {
    const folder = mkdtempSync(join(tmpdir(), "winnow-broker-"));
    let making: ReturnType<typeof make> | null = null;
    const broker = createServer((socket) => {
      making ??= make();
      making
        .then(
          ({ value }): Answer<A> => ({ value }),
          (error: unknown): Answer<A> => ({ error: String(error) })
        )
        .then((answer) => socket.end(JSON.stringify(answer)));
      socket.on("error", () => undefined);
    });
    const path = join(folder, "socket");
    await once(broker.listen(path), "listening");
    process.env[variable] = path;
    return async () => {
      await new Promise((resolve) => broker.close(resolve));
      await making?.then(({ stop }) => stop()).catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    };
  };
