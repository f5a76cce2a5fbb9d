/** The program of the package, `npx @winnow/client mcp`, and how hosts are configured to start it. Tests: bridge.test.ts. */
import { WinnowError } from "../core/apiError.ts";
import type { Readable, Writable } from "node:stream";
import { apiKeyOf, baseUrlOf } from "../core/settings.ts";
import { shellWord } from "../samples.ts";
import { bridgeTo } from "./bridge.ts";

// Configuration for hosts to start the bridge: what to paste, and where.

/** Environment of the bridge, by name. */
type Environment = Readonly<Record<string, string>>;

interface Host {
  /** Where to put it, in plain English. */
  readonly place: string;
  readonly text: (env: Environment) => string;
}

const ARGS = ["-y", "@winnow/client", "mcp"];
const program = (env: Environment) => ({ command: "npx", args: ARGS, env });
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const servers = (env: Environment): string => json({ mcpServers: { winnow: program(env) } });

const claudeCode = (env: Environment): string => {
  const given = Object.entries(env).map(([name, value]) => `--env ${shellWord(`${name}=${value}`)}`);
  return ["claude mcp add winnow", ...given, "-- npx", ...ARGS].join(" ");
};

const codex = (env: Environment): string => {
  const given = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const server = ["[mcp_servers.winnow]", 'command = "npx"', `args = ${JSON.stringify(ARGS)}`];
  return [...server, "", "[mcp_servers.winnow.env]", ...given].join("\n");
};

const HOSTS: Readonly<Record<string, Host>> = {
  "claude-desktop": {
    place: "claude_desktop_config.json (Settings, Developer, Edit Config), then restart Claude",
    text: servers
  },
  "claude-code": { place: "a terminal, as one command", text: claudeCode },
  cursor: { place: "~/.cursor/mcp.json, or .cursor/mcp.json of a project", text: servers },
  vscode: {
    place: ".vscode/mcp.json of a folder, or the user configuration (MCP: Open User Configuration)",
    text: (env) => json({ servers: { winnow: { type: "stdio", ...program(env) } } })
  },
  windsurf: { place: "~/.codeium/windsurf/mcp_config.json", text: servers },
  codex: { place: "~/.codex/config.toml", text: codex }
};

const HOST_NAMES: ReadonlyArray<string> = Object.keys(HOSTS);

/** Throws {@link WinnowError} for an unknown host. */
const hostOf = (name: string): Host => {
  const host = Object.hasOwn(HOSTS, name) ? HOSTS[name] : undefined;
  if (host !== undefined) return host;
  throw new WinnowError(
    `Unknown host ${JSON.stringify(name)}; known are ${HOST_NAMES.join(", ")}. For other hosts, use ` +
      `command, args and env as for cursor.`
  );
};

const USAGE = `Usage: npx @winnow/client mcp [--print-config HOST]

Serves Winnow's tools over standard input and output, for hosts that support the Model Context Protocol.

  --print-config HOST   print the configuration to paste: ${HOST_NAMES.join(", ")}

Environment:
  WINNOW_URL       address of the server (default http://127.0.0.1:8787)
  WINNOW_API_KEY   an API key; create one for the agent, with dailyCredits
`;

/** Retries while the server is unreachable: over seven seconds, as a restart takes a few. */
const MAX_RETRIES = 4;

interface Streams {
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

/** Ended by LF only: `readline` also splits at line separators that JSON may have in its texts. */
async function* linesOf(input: Readable): AsyncGenerator<string, void, undefined> {
  let rest = "";
  for await (const text of input.setEncoding("utf8") as AsyncIterable<string>) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

/** For hosts that split at them. */
const withoutBreaks = (json: string): string =>
  json.replace(
    /[\u0085\u2028\u2029]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`
  );

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
    (line) => stdout.write(`${withoutBreaks(line)}\n`),
    (line) => stderr.write(`winnow: ${line}\n`)
  );
  const underWay = new Set<Promise<void>>();
  for await (const line of linesOf(stdin)) {
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
