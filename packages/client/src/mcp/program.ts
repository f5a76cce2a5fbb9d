/** The program of the package: `npx @winnow/client mcp`. */
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { WinnowError } from "../core/errors.ts";
import { apiKeyOf, baseUrlOf } from "../core/settings.ts";
import { Bridge } from "./bridge.ts";
import { configOf, HOST_NAMES } from "./hosts.ts";

const USAGE = `Usage: npx @winnow/client mcp [--print-config HOST]

Serves Winnow's tools over standard input and output, for hosts that support the Model Context Protocol.

  --print-config HOST   print the configuration to paste: ${HOST_NAMES.join(", ")}

Environment:
  WINNOW_URL       address of the server (default http://127.0.0.1:8787)
  WINNOW_API_KEY   an API key; create one for the agent, with dailyCredits
`;

export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

const PLACEHOLDER = "YOUR_API_KEY";

const printConfig = (host: string, { stdout, stderr }: Streams): void => {
  const { text, place } = configOf(host, {
    url: baseUrlOf(undefined),
    apiKey: process.env["WINNOW_API_KEY"] || PLACEHOLDER
  });
  stdout.write(`${text}\n`);
  stderr.write(`Put this into ${place}.\n`);
};

/** Serves until the host closes standard input, and answers all requests received by then. */
const serve = async ({ stdin, stdout, stderr }: Streams): Promise<void> => {
  const bridge = new Bridge({
    baseUrl: baseUrlOf(undefined),
    apiKey: apiKeyOf(undefined),
    fetch: globalThis.fetch,
    say: (line) => stdout.write(`${line}\n`),
    warn: (line) => stderr.write(`winnow: ${line}\n`)
  });
  const underWay = new Set<Promise<void>>();
  for await (const line of createInterface({ input: stdin, crlfDelay: Infinity })) {
    const handling = bridge.take(line).finally(() => underWay.delete(handling));
    underWay.add(handling);
  }
  await Promise.all(underWay);
  await bridge.close();
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
