/** Configuration for hosts to start the bridge: what to paste, and where. */
import { WinnowError } from "../core/errors.ts";

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

/** A shell word, quoted if necessary. */
const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const claudeCode = (env: Environment): string => {
  const given = Object.entries(env).map(([name, value]) => `--env ${word(`${name}=${value}`)}`);
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

export const HOST_NAMES: ReadonlyArray<string> = Object.keys(HOSTS);

/** Throws {@link WinnowError} for an unknown host. */
export const hostOf = (name: string): Host => {
  const host = Object.hasOwn(HOSTS, name) ? HOSTS[name] : undefined;
  if (host !== undefined) return host;
  throw new WinnowError(
    `Unknown host ${JSON.stringify(name)}; known are ${HOST_NAMES.join(", ")}. For other hosts, use ` +
      `command, args and env as for cursor.`
  );
};
