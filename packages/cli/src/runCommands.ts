/**
 * `winnow extract` and `winnow probe`: one run, or its price, in this process, without a server or an account; and
 * `winnow mcp`: the same for assistants. The engine is loaded when it is needed. Tests: winnow.test.ts.
 */
import { MODALITIES } from "@winnow/core/domain/source/Modality";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import { overwrite } from "./extractions/savedFiles.ts";
import { rangeFlags, readingFlags } from "./extractions/submissionFields.ts";
import { argument, asJson, text } from "./flags.ts";
import { usableSettings } from "./Inputs.ts";

const submitFlags = {
  url: argument("url", "Public URL of a video, a photo post or an article"),
  parts: text("parts", `What to fetch, comma-separated: ${MODALITIES.join(", ")}; everything by default`),
  schema: text(
    "schema",
    "JSON Schema file, or id of a predefined schema, of what the language model should extract; --parts are then its inputs"
  ),
  ...rangeFlags,
  ...readingFlags,
  json: asJson
};

export type SubmitInput = Command.Command.Config.Infer<typeof submitFlags>;

const out = text("out", "Folder for the artifacts, created if missing; winnow-<id> by default").pipe(
  Flag.withAlias("o")
);

export const extract = Command.make(
  "extract",
  { ...submitFlags, out, overwrite },
  Effect.fnUntraced(function* (input) {
    const { extractLocally } = yield* Effect.promise(() => import("./localRuns.ts"));
    yield* extractLocally(input);
  })
).pipe(
  Command.withDescription(
    "Run one extraction on this machine, without server or account, and save its artifacts to a folder; winnow submit " +
      "starts one on a server"
  ),
  Command.withExamples([
    { command: "winnow extract https://example.com/article", description: "Fetch everything" },
    { command: "winnow extract URL --parts transcript,audio --out talk", description: "Only some parts" },
    { command: "winnow extract URL --from 1:05 --to 2:30", description: "Only a stretch of a video" },
    {
      command: "winnow extract URL --schema recipe.json",
      description: "Extract an object with the language model"
    }
  ])
);

export const probe = Command.make(
  "probe",
  submitFlags,
  Effect.fnUntraced(function* (input) {
    const { probeLocally } = yield* Effect.promise(() => import("./localRuns.ts"));
    yield* probeLocally(input);
  })
).pipe(Command.withDescription("Inspect a URL and quote its price, without a server"));

export const mcp = Command.make(
  "mcp",
  {},
  Effect.fnUntraced(function* () {
    const settings = yield* usableSettings;
    const { serveStdio } = yield* Effect.promise(() => import("@winnow/server/mcp/serveStdio"));
    const { localClient } = yield* Effect.promise(() => import("./localServer.ts"));
    const { clientSource } = yield* Effect.promise(() => import("@winnow/client/tools"));
    const { accountId, client } = yield* localClient(settings);
    // Nothing serves links to files.
    const source = { ...clientSource(client), link: () => Promise.resolve(null) };
    yield* serveStdio(accountId, source, settings.mcpMaxCredits);
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Serve the tools for assistants (MCP) over standard input and output, without a server"
  ),
  Command.withExamples([
    { command: "claude mcp add winnow -- npx -y @winnow/cli mcp", description: "Add it to Claude Code" }
  ])
);
