/**
 * `winnow schema`: an account's library of schemas from the command line.
 */
import { basename, extname } from "node:path";
import type { JsonSchema, SavedSchema } from "@winnow/client";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { argument, callOwn, firstOf, owner } from "./clients.ts";
import { asJson, printResult, printTable } from "./Output.ts";
import { readSchema } from "./Inputs.ts";

const list = Command.make("list", { ...owner, json: asJson }, (input) =>
  Effect.flatMap(
    callOwn(input, (winnow) => firstOf((page) => winnow.schemas.list(page))),
    (schemas) =>
      printTable<SavedSchema>(input.json, schemas, {
        id: ({ id }) => id,
        version: ({ version }) => version,
        name: ({ name }) => name
      })
  )
).pipe(Command.withDescription("List the schemas of an account and the predefined ones"));

const save = Command.make(
  "save",
  {
    ...owner,
    file: argument("file", "JSON Schema; - reads standard input"),
    name: Flag.String("name").pipe(
      Flag.withDescription("Name of the schema; by default the name of the file"),
      Flag.optional
    ),
    prompt: Flag.String("prompt").pipe(
      Flag.withDescription("Guidance for the model, used when a submit has no prompt"),
      Flag.optional
    ),
    json: asJson
  },
  Effect.fnUntraced(function* ({ file, name, prompt, json, ...from }) {
    const body = {
      name: Option.getOrElse(name, () => basename(file, extname(file))),
      // The server reports what is wrong with it.
      schema: (yield* readSchema(file)) as JsonSchema,
      ...Option.match(prompt, { onNone: () => ({}), onSome: (text) => ({ prompt: text }) })
    };
    const saved = yield* callOwn(from, (winnow) => winnow.schemas.save(body));
    yield* printResult(json, saved, `Saved as ${saved.id}, version ${saved.version} of "${saved.name}".`);
  })
).pipe(Command.withDescription("Save a schema; an existing name gets a new version"));

const remove = Command.make(
  "delete",
  { ...owner, schemaId: argument("schema-id", "Id of the schema"), json: asJson },
  Effect.fnUntraced(function* ({ schemaId, json, ...from }) {
    yield* callOwn(from, (winnow) => winnow.schemas.delete(schemaId));
    yield* printResult(json, { id: schemaId, deleted: true }, `Deleted ${schemaId}.`);
  })
).pipe(Command.withDescription("Delete a schema; runs that use it keep their copy"));

export const schema = Command.make("schema").pipe(
  Command.withDescription("List, save and delete the schemas of an account"),
  Command.withSubcommands([list, save, remove])
);
