/**
 * `winnow schema`: an account's library of schemas from the command line.
 */
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type { SavedSchema } from "../api/SchemaWire.ts";
import { accountId, argument, idPath, target } from "./adminCommands.ts";
import { callAdmin } from "./AdminClient.ts";
import { CliFailed } from "./CliFailed.ts";
import { settingsFromEnvironment } from "./environment.ts";

type Target = Parameters<typeof callAdmin>[0];
type Call = Parameters<typeof callAdmin>[2];

interface Page {
  readonly data: ReadonlyArray<SavedSchema>;
  readonly next_cursor: string | null;
}

/** The largest page there is: a library has few of them. */
const PAGE_LIMIT = 100;

const asJson = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON instead of words"),
  Flag.withDefault(false)
);

const call = Effect.fnUntraced(function* <A>(options: Target, request: Call) {
  const settings = yield* settingsFromEnvironment;
  return (yield* callAdmin(options, settings, request)) as A;
});

const tell = (json: boolean, value: unknown, words: string): Effect.Effect<void> =>
  Console.log(json ? JSON.stringify(value, null, 2) : words);

const readAll = Effect.fnUntraced(function* (options: Target, account: string) {
  const schemas: Array<SavedSchema> = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(PAGE_LIMIT), ...(cursor === null ? {} : { cursor }) });
    const path = `${idPath("accounts", account, "schemas")}?${query}`;
    const page: Page = yield* call<Page>(options, { method: "GET", path });
    schemas.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return schemas;
});

const list = Command.make("list", { ...target, id: accountId, json: asJson }, (input) =>
  Effect.flatMap(readAll(input, input.id), (schemas) =>
    tell(
      input.json,
      schemas,
      schemas.map(({ id, version, name }) => `${id}  v${version}  ${name}`).join("\n")
    )
  )
).pipe(Command.withDescription("List the schemas of an account and the predefined ones"));

const readSchema = (file: string): Effect.Effect<unknown, CliFailed> =>
  Effect.tryPromise({
    try: async () => JSON.parse(await readFile(file === "-" ? "/dev/stdin" : file, "utf8")) as unknown,
    catch: (cause) =>
      new CliFailed({
        message:
          cause instanceof SyntaxError ? `${file} is not valid JSON.` : `${file} cannot be read; is it there?`
      })
  });

const save = Command.make(
  "save",
  {
    ...target,
    id: accountId,
    file: argument("file", "JSON Schema; - reads standard input"),
    name: Flag.String("name").pipe(
      Flag.withDescription("Name of the schema; else that of the file"),
      Flag.optional
    ),
    prompt: Flag.String("prompt").pipe(
      Flag.withDescription("Guidance for the model, when a submit brings none"),
      Flag.optional
    ),
    json: asJson
  },
  Effect.fnUntraced(function* ({ id, file, name, prompt, json, ...options }) {
    const body = {
      name: Option.getOrElse(name, () => basename(file, extname(file))),
      schema: yield* readSchema(file),
      ...Option.match(prompt, { onNone: () => ({}), onSome: (text) => ({ prompt: text }) })
    };
    const path = idPath("accounts", id, "schemas");
    const saved = yield* call<SavedSchema>(options, { method: "POST", path, body });
    yield* tell(json, saved, `Saved as ${saved.id}, version ${saved.version} of "${saved.name}".`);
  })
).pipe(Command.withDescription("Save a schema; a name that is there gets its next version"));

const remove = Command.make(
  "delete",
  { ...target, id: accountId, schemaId: argument("schema-id", "Id of the schema"), json: asJson },
  Effect.fnUntraced(function* ({ id, schemaId, json, ...options }) {
    const path = idPath("accounts", id, "schemas", schemaId);
    yield* call(options, { method: "DELETE", path });
    yield* tell(json, { id: schemaId, deleted: true }, `Deleted ${schemaId}.`);
  })
).pipe(Command.withDescription("Delete a schema; runs that use it keep their copy"));

export const schema = Command.make("schema").pipe(
  Command.withDescription("List, save and delete the schemas of an account"),
  Command.withSubcommands([list, save, remove])
);
