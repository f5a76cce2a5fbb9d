/**
 * `winnow schema`: an account's library of schemas from the command line.
 */
import { basename, extname } from "node:path";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type { SavedSchema } from "../api/SchemaWire.ts";
import { accountId, argument, asJson, call, idPath, readAll, target, tell } from "./accountCalls.ts";
import { readSchema } from "./readSchema.ts";

const list = Command.make("list", { ...target, id: accountId, json: asJson }, (input) =>
  Effect.flatMap(readAll<SavedSchema>(input, idPath("accounts", input.id, "schemas")), (schemas) =>
    tell(
      input.json,
      schemas,
      schemas.map(({ id, version, name }) => `${id}  v${version}  ${name}`).join("\n")
    )
  )
).pipe(Command.withDescription("List the schemas of an account and the predefined ones"));

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
