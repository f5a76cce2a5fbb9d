/** Configuration for hosts to start the bridge: what to paste, and where. */
import { WinnowError } from "../core/errors.ts";

interface Connection {
  readonly url: string;
  readonly apiKey: string;
}

interface Host {
  /** Where to put it, in plain English. */
  readonly place: string;
  readonly text: (connection: Connection) => string;
}

const COMMAND = "npx";
const ARGS = ["-y", "@winnow/client", "mcp"] as const;

const environmentOf = ({ url, apiKey }: Connection) => ({ WINNOW_URL: url, WINNOW_API_KEY: apiKey });

const program = (connection: Connection) => ({
  command: COMMAND,
  args: ARGS,
  env: environmentOf(connection)
});

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const servers = (connection: Connection): string => json({ mcpServers: { winnow: program(connection) } });

/** A shell word, quoted if necessary. */
const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const claudeCode = (connection: Connection): string => {
  const env = Object.entries(environmentOf(connection)).flatMap(([name, value]) => [
    "--env",
    word(`${name}=${value}`)
  ]);
  return ["claude mcp add winnow", ...env, "--", COMMAND, ...ARGS].join(" ");
};

const codex = (connection: Connection): string =>
  [
    "[mcp_servers.winnow]",
    `command = ${JSON.stringify(COMMAND)}`,
    `args = ${JSON.stringify(ARGS)}`,
    "",
    "[mcp_servers.winnow.env]",
    ...Object.entries(environmentOf(connection)).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  ].join("\n");

const HOSTS: Readonly<Record<string, Host>> = {
  "claude-desktop": {
    place: "claude_desktop_config.json (Settings, Developer, Edit Config), then restart Claude",
    text: servers
  },
  "claude-code": { place: "a terminal, as one command", text: claudeCode },
  cursor: { place: "~/.cursor/mcp.json, or .cursor/mcp.json of a project", text: servers },
  vscode: {
    place: ".vscode/mcp.json of a folder, or the user configuration (MCP: Open User Configuration)",
    text: (connection) => json({ servers: { winnow: { type: "stdio", ...program(connection) } } })
  },
  windsurf: { place: "~/.codeium/windsurf/mcp_config.json", text: servers },
  codex: { place: "~/.codex/config.toml", text: codex }
};

export const HOST_NAMES: ReadonlyArray<string> = Object.keys(HOSTS);

/** Throws {@link WinnowError} for an unknown host. */
export const configOf = (
  name: string,
  connection: Connection
): { readonly text: string; readonly place: string } => {
  const host = Object.hasOwn(HOSTS, name) ? HOSTS[name] : undefined;
  if (host !== undefined) return { text: host.text(connection), place: host.place };
  throw new WinnowError(
    `Unknown host ${JSON.stringify(name)}; known are ${HOST_NAMES.join(", ")}. For other hosts, use ` +
      `command, args and env as for cursor.`
  );
};
