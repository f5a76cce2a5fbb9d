/** How to connect an assistant: the entry for its list of MCP servers, to copy. */
import { href, SERVER } from "../../base.ts";
import { Code } from "../../parts/Copy.tsx";
import { words } from "../../words/words.ts";

const entry = (url: string): string =>
  JSON.stringify(
    { mcpServers: { winnow: { type: "http", url, headers: { Authorization: "Bearer YOUR_API_KEY" } } } },
    null,
    2
  );

export const McpSetup = () => (
  <section class="panel stack tight" aria-label={words.account.mcp}>
    <h2>{words.account.mcp}</h2>
    <p class="hint">
      {words.account.mcpText} <a href={href("keys")}>{words.nav.keys}</a>
    </p>
    <Code code={entry(new URL("mcp", SERVER).href)} label={words.account.mcp} />
  </section>
);
