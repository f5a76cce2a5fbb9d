/** The program of the package: `npx @winnow/client mcp`. */
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { WinnowError } from "../core/errors.ts";
import { apiKeyOf, baseUrlOf } from "../core/settings.ts";
import { bridgeTo } from "./bridge.ts";
import { HOST_NAMES, hostOf } from "./hosts.ts";

const USAGE = `Usage: npx @winnow/client mcp [--print-config HOST]

Serves Winnow's tools over standard input and output, for hosts that support the Model Context Protocol.

  --print-config HOST   print the configuration to paste: ${HOST_NAMES.join(", ")}

Environment:
  WINNOW_URL       address of the server (default http://127.0.0.1:8787)
  WINNOW_API_KEY   an API key; create one for the agent, with dailyCredits
`;

/** Retries while the server is unreachable: over seven seconds, as a restart takes a few. */
const MAX_RETRIES = 4;

export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

const printConfig = (name: string, { stdout, stderr }: Streams): void => {
  const { text, place } = hostOf(name);
  const apiKey = process.env["WINNOW_API_KEY"] || "YOUR_API_KEY";
  stdout.write(`${text({ WINNOW_URL: baseUrlOf(undefined), WINNOW_API_KEY: apiKey })}\n`);
  stderr.write(`Put this into ${place}.\n`);
};

/** Serves until the host closes standard input, and answers all requests received by then. */
const serve = async ({ stdin, stdout, stderr }: Streams): Promise<void> => {
  const take = bridgeTo(
    {
      apiKey: apiKeyOf(undefined),
      baseUrl: baseUrlOf(undefined),
      fetch: globalThis.fetch,
      maxRetries: MAX_RETRIES,
      // Calls wait for runs: the host limits them.
      timeoutMs: Number.POSITIVE_INFINITY
    },
    (line) => stdout.write(`${line}\n`),
    (line) => stderr.write(`winnow: ${line}\n`)
  );
  const underWay = new Set<Promise<void>>();
  for await (const line of createInterface({ input: stdin, crlfDelay: Infinity })) {
    if (line.trim() === "") continue;
    const handling = take(line).finally(() => underWay.delete(handling));
    underWay.add(handling);
  }
  await Promise.all(underWay);
};

/** Returns the exit code. */
export const main = async (args: ReadonlyArray<string>, streams: Streams): Promise<number> => {
  const [command, option, host, ...rest] = args;
  try {
    if (command === "mcp" && option === undefined) await serve(streams);
    else if (command === "mcp" && option === "--print-config" && rest.length === 0)
      printConfig(host ?? "", streams);
    else {
      const isHelp = args.includes("--help") || args.includes("-h");
      (isHelp ? streams.stdout : streams.stderr).write(USAGE);
      return isHelp ? 0 : 2;
    }
    return 0;
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    streams.stderr.write(`winnow: ${error.message}\n`);
    return 1;
  }
};
