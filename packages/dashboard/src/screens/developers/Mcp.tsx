/** How an AI assistant uses the account. Tests: mounted.test.ts. */
import { href, SERVER } from "../../data/addresses.ts";
import { Code } from "../../parts/Copy.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { tabWords } from "../../words/words.ts";
import { mcpWords } from "./apiKeysWords.ts";

/** The entry for a program's list of MCP servers, to copy. */
const entry = (url: string): string =>
  JSON.stringify(
    { mcpServers: { winnow: { type: "http", url, headers: { Authorization: "Bearer YOUR_API_KEY" } } } },
    null,
    2
  );

const Mcp = () => (
  <>
    <PageHead title={tabWords.mcp} hint={mcpWords.hint} guide="agents" />
    <section class="panel stack tight" aria-label={tabWords.mcp}>
      <p class="hint">
        {mcpWords.entry} <a href={href("developers/keys")}>{tabWords.keys}</a>
      </p>
      <Code code={entry(new URL("mcp", SERVER).href)} label={tabWords.mcp} />
    </section>
  </>
);

export default Mcp;
