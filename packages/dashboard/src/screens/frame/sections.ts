/** The entries of the navigation, each with the screens that it has as tabs, and their addresses. Tests: everyday.test.ts. */
import { href, serverPath } from "../../data/addresses.ts";
import type { IconName } from "../../parts/Icon.tsx";
import { navWords, tabWords } from "../../words/words.ts";

type Section = "extractions" | "results" | "schemas" | "developers" | "settings";

/** An entry opens the first of its tabs. */
export const SECTIONS: ReadonlyArray<readonly [Section, IconName, ReadonlyArray<keyof typeof tabWords>]> = [
  ["extractions", "list", []],
  ["results", "table", []],
  ["schemas", "schema", []],
  ["developers", "key", ["keys", "webhooks", "mcp"]],
  ["settings", "gear", ["usage", "account"]]
];

/** The entry of a screen: a run or a batch belongs to the extractions. */
export const sectionOf = (path: string): (typeof SECTIONS)[number] => {
  const [first = ""] = path.slice(href("").length).split("/");
  return SECTIONS.find(([section]) => section === first) ?? (SECTIONS[0] as (typeof SECTIONS)[number]);
};

export const addressOf = (section: Section, tab = ""): string =>
  href(section === "extractions" ? "" : [section, tab].filter((part) => part !== "").join("/"));

/** What Ctrl+K opens by a part of its name. */
export interface Entry {
  readonly name: string;
  readonly kind: string;
  readonly address: string;
}

export const SCREENS: ReadonlyArray<Entry> = [
  ...SECTIONS.flatMap(([section, , tabs]) =>
    tabs.length === 0
      ? [{ name: navWords[section], kind: "", address: addressOf(section) }]
      : tabs.map((tab) => ({
          name: tabWords[tab],
          kind: navWords[section],
          address: addressOf(section, tab)
        }))
  ),
  { name: navWords.new, kind: "", address: href("new") },
  { name: navWords.docs, kind: "", address: serverPath("docs") }
];
