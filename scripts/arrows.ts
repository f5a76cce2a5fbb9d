/**
 * The arrows between the folders of a package, and where modules of Effect without a promise of stability are used. An
 * arrow that is not here is a decision, not a line of code. `.oxlintrc.json` has the arrows between packages.
 */
import path from "node:path";

/** Of each folder, the neighbours that it imports; files beside the folders may import, and be imported, freely. */
const FOLDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "packages/core/src/domain": {
    access: "request text",
    evidence: "json-schema text",
    "json-schema": "request text",
    money: "request source text webhook",
    request: "source text",
    result: "evidence money request run source text transcript webhook",
    run: "evidence json-schema money request source text url webhook",
    source: "text",
    text: "",
    transcript: "text",
    url: "request",
    webhook: ""
  },
  "packages/core/src/engine": {
    accounts: "",
    batches: "accounts extractions runs",
    extractions: "accounts webhooks",
    runs: "accounts extractions",
    webhooks: "accounts"
  },
  "packages/testing/src": { fakes: "", openai: "", samples: "", suites: "samples" },
  "packages/isolation/src": {
    network: "runtime",
    process: "runtime sandbox",
    runtime: "",
    sandbox: "network runtime",
    worker: "process runtime sandbox"
  },
  "packages/pages/src": {
    documents: "facts parse select write",
    facts: "parse select",
    parse: "",
    select: "parse",
    write: "parse select"
  },
  "packages/adapters/src": {
    accounts: "",
    database: "runtime storage",
    model: "model-server programs schema-check speech",
    "model-server": "",
    programs: "runtime",
    runtime: "",
    "schema-check": "",
    sources: "programs runtime",
    speech: "model-server programs",
    storage: "",
    webhooks: ""
  },
  "packages/adapters/src/sources": {
    browser: "",
    captions: "",
    failures: "",
    fetch: "captions failures inspect manifests ways yt-dlp",
    "gallery-dl": "failures metadata ways yt-dlp",
    inspect: "browser failures gallery-dl manifests metadata page-reader ways yt-dlp",
    manifests: "",
    metadata: "yt-dlp",
    "page-reader": "",
    ways: "failures",
    "yt-dlp": "failures ways"
  },
  "packages/server/src": {
    adapters: "settings",
    embed: "http settings web",
    http: "",
    mcp: "http",
    routes: "http",
    settings: "",
    web: "http"
  },
  "packages/cli/src": { connection: "", extractions: "connection" },
  "packages/client/src": {
    core: "generated",
    generated: "",
    mcp: "core",
    resources: "core generated schema",
    schema: "core generated",
    tools: "core generated resources"
  },
  "packages/dashboard/src": {
    data: "words",
    parts: "data words",
    public: "",
    screens: "data parts words",
    styles: "",
    words: ""
  }
};

/** By namespace, the places that use it. A minor version of Effect may change it. */
const UNSTABLE: Readonly<Record<string, ReadonlyArray<string>>> = {
  "effect/ai": ["server/src/mcp/"],
  "effect/cli": ["cli/src/"],
  "effect/http": [
    "server/src/App.ts",
    "server/src/Serve.ts",
    "server/src/Tracing.ts",
    "server/src/embed/",
    "server/src/http/",
    "server/src/mcp/",
    "server/src/routes/",
    "server/src/web/"
  ],
  "effect/http-api": ["server/src/App.ts", "server/src/http/", "server/src/routes/"],
  "effect/observability": ["server/src/Tracing.ts", "server/src/routes/system/"],
  "effect/sql": ["adapters/src/database/", "server/src/adapters/"],
  "@effect/platform-node": ["cli/src/", "server/src/http/"],
  "@effect/sql-pg": ["adapters/src/database/"],
  "@effect/vitest": ["testing/src/"]
};

const IMPORT = /(?:from |import |import\()"(?<specifier>[^"]*)"/gu;
/** The namespace of `effect/http/HttpRouter`; modules of `effect` itself begin with a capital letter. */
const NAMESPACE = /^(?:effect\/[a-z][a-z-]*|@effect\/[a-z-]+)(?=\/|$)/u;

interface Crossing {
  readonly base: string;
  readonly own: string;
  readonly other: string;
}

/** From folder to folder, at each level of the table. */
const crossingsOf = (file: string, specifier: string): ReadonlyArray<Crossing> => {
  if (!specifier.startsWith(".")) return [];
  const imported = path.posix.join(path.posix.dirname(file), specifier);
  return Object.keys(FOLDERS).flatMap((base) => {
    if (!file.startsWith(`${base}/`) || !imported.startsWith(`${base}/`)) return [];
    const [from = "", to = ""] = [file, imported].map((each) => each.slice(base.length + 1));
    if (!from.includes("/") || !to.includes("/")) return [];
    const [own = "", other = ""] = [from, to].map((each) => each.split("/", 1)[0]);
    return own === other ? [] : [{ base, own, other }];
  });
};

/** What is wrong with importing `specifier` in `file`. */
const faultsOf = (file: string, specifier: string): ReadonlyArray<string> => {
  const [namespace] = NAMESPACE.exec(specifier) ?? [];
  if (namespace !== undefined)
    return UNSTABLE[namespace]?.some((place) => file.startsWith(`packages/${place}`)) === true
      ? []
      : [
          `${namespace} may change in any release of Effect: only ${UNSTABLE[namespace]?.join(", ") ?? "nobody"} uses it`
        ];
  return crossingsOf(file, specifier).flatMap(({ base, own, other }) => {
    const known = FOLDERS[base]?.[own];
    return known?.split(" ").includes(other) === true
      ? []
      : [`${own} does not import ${other}: it sees ${known || "none of its neighbours"} in ${base}`];
  });
};

const specifiersIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(IMPORT)].map(({ groups }) => groups?.["specifier"] ?? "");

/** One sentence per import of `file`, whose source is `text`, that is no arrow of the tables. */
export const newArrows = (file: string, text: string): ReadonlyArray<string> =>
  specifiersIn(text).flatMap((specifier) =>
    faultsOf(file, specifier).map((fault) => `${file}: ${fault} (scripts/arrows.ts)`)
  );

const arrowText = ({ base, own, other }: Crossing): string => `${own} imports ${other} in ${base}`;

/** One sentence per arrow between folders that none of the sources needs, by the text of each file. */
export const goneArrows = (sources: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const used = new Set(
    [...sources].flatMap(([file, text]) =>
      specifiersIn(text).flatMap((specifier) => crossingsOf(file, specifier).map(arrowText))
    )
  );
  return Object.entries(FOLDERS)
    .flatMap(([base, arrows]) =>
      Object.entries(arrows).flatMap(([own, others]) =>
        others.split(" ").flatMap((other) => (other === "" ? [] : [arrowText({ base, own, other })]))
      )
    )
    .filter((arrow) => !used.has(arrow))
    .map((arrow) => `scripts/arrows.ts: ${arrow}, says the table, but nothing does`);
};
