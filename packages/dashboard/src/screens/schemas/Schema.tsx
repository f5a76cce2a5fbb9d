/** A schema: view it, edit it to create a new version, compare it with others. */
import { href } from "../../data/addresses.ts";
import { schemaWords } from "../../parts/schema/words.ts";
import { schemasWords } from "./words.ts";
import { navWords, words } from "../../words/words.ts";
import type { SavedSchema } from "@winnow/client";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import {
  deleteSchema,
  isPredefined,
  lastVersion,
  saveSchema,
  useSchema,
  useSchemas
} from "../../data/schemas.ts";
import { ConfirmButton } from "../../parts/Dialog.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Problem, useAct, Waiting } from "../../parts/Waiting.tsx";
import { readSchema, isUsableSchema } from "../../parts/schema/fields.ts";
import { SchemaEditor } from "../../parts/schema/SchemaEditor.tsx";
import { note } from "../../parts/Toasts.tsx";
import { Differences } from "./Differences.tsx";

const EMPTY_TEXT = JSON.stringify({ type: "object", properties: {}, additionalProperties: false }, null, 2);

const VersionOf = ({ schema }: { readonly schema: SavedSchema }) => {
  const { data: schemas = [] } = useSchemas();
  const last = Math.max(schema.version, lastVersion(schemas, schema.name));
  return <>{schemasWords.versionOf(schema.version, last)} </>;
};

/** What makes two versions the same. */
const textOf = ({ name, prompt, schema }: Pick<SavedSchema, "name" | "prompt" | "schema">): string =>
  JSON.stringify([name.trim(), prompt?.trim() ?? "", schema]);

const Editor = ({ saved }: { readonly saved: SavedSchema | null }) => {
  const { route } = useLocation();
  const isOwn = saved !== null && !isPredefined(saved);
  const [name, setName] = useState(isOwn ? saved.name : "");
  const [text, setText] = useState(saved === null ? EMPTY_TEXT : JSON.stringify(saved.schema, null, 2));
  const [prompt, setPrompt] = useState(saved?.prompt ?? "");
  const { act, isBusy, error } = useAct();
  const { data: schemas = [] } = useSchemas();
  const read = readSchema(text);
  const last = lastVersion(schemas, name.trim());
  // A predefined one is copied, which needs no change.
  const isSame = isOwn && read.ok && textOf(saved) === textOf({ name, prompt, schema: read.schema });
  const save = (): void => {
    if (!read.ok || !isUsableSchema(text)) return;
    const body = {
      name: name.trim(),
      schema: read.schema,
      ...(prompt.trim() === "" ? {} : { prompt: prompt.trim() })
    };
    void act(
      () => saveSchema(body),
      (next) => {
        note(schemasWords.saved(next.name, next.version));
        route(href(`schemas/${next.id}`));
      }
    );
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div class="panel stack">
        <label class="stack tight">
          {schemasWords.name}
          <input
            required
            value={name}
            maxLength={100}
            pattern=".*\S.*"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <SchemaEditor text={text} onChange={setText} />
        <label class="stack tight">
          <span>
            {schemaWords.prompt} <span class="hint">({words.optional})</span>
          </span>
          <textarea rows={3} value={prompt} onInput={(event) => setPrompt(event.currentTarget.value)} />
        </label>
        {error === null ? null : <Problem error={error} />}
        <div class="row">
          <button class="button main" type="submit" disabled={isBusy || isSame || !isUsableSchema(text)}>
            {last === 0 ? words.save : schemasWords.saveNext(last + 1)}
          </button>
          <p class="hint">
            {read.ok && !isUsableSchema(text)
              ? schemasWords.nameField
              : isSame
                ? schemasWords.unchanged
                : schemasWords.never}
          </p>
        </div>
      </div>
    </form>
  );
};

const Delete = ({ schema }: { readonly schema: SavedSchema }) => {
  const { route } = useLocation();
  return (
    <ConfirmButton
      label={words.delete}
      title={schemasWords.deleteTitle(schema.name, schema.version)}
      action={words.delete}
      does={() => deleteSchema(schema.id)}
      then={() => route(href("schemas"))}
    >
      <p>{schemasWords.deleteText}</p>
    </ConfirmButton>
  );
};

const Existing = ({ id }: { readonly id: string }) => {
  const query = useSchema(id);
  return (
    <>
      <PageHead
        title={query.data?.name ?? schemaWords.saved}
        hint={
          <>
            {query.data === undefined || isPredefined(query.data) ? null : <VersionOf schema={query.data} />}
            <code>{id}</code>
          </>
        }
      >
        <a class="button" href={href(`results?schemaId=${encodeURIComponent(id)}`)}>
          {navWords.results}
        </a>
        <a class="button" href={href(`workbench?schema=${encodeURIComponent(id)}`)}>
          {schemasWords.tryOn}
        </a>
        {query.data === undefined || isPredefined(query.data) ? null : <Delete schema={query.data} />}
      </PageHead>
      <Waiting query={query} lines={5}>
        {(schema) => (
          <>
            <Editor key={schema.id} saved={schema} />
            {isPredefined(schema) ? null : <Differences schema={schema} />}
          </>
        )}
      </Waiting>
    </>
  );
};

const Schema = ({ id = "" }: { readonly id?: string }) =>
  id === "new" ? (
    <>
      <PageHead title={schemasWords.create} />
      <Editor saved={null} />
    </>
  ) : (
    <Existing key={id} id={id} />
  );

export default Schema;
