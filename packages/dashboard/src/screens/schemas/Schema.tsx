/** A schema: its version, its fields with what they read, and what differs from other versions. */
import type { SavedSchema } from "@winnow/client";
import { useLocation } from "preact-iso";
import { href } from "../../data/addresses.ts";
import { deleteSchema, isPredefined, useSchema, useSchemas } from "../../data/schemas.ts";
import { ConfirmButton } from "../../parts/Dialog.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { navWords, words } from "../../words/words.ts";
import { Bench } from "./Bench.tsx";
import { Differences } from "./Differences.tsx";
import { schemasWords } from "./words.ts";

const Versions = ({ schema }: { readonly schema: SavedSchema }) => {
  const { route } = useLocation();
  const { data } = useSchemas();
  const others = (data ?? []).filter((each) => each.name === schema.name && each.id !== schema.id);
  const all = [schema, ...others].toSorted((left, right) => right.version - left.version);
  return (
    <select
      class="versions"
      aria-label={schemasWords.shownVersion}
      value={schema.id}
      onChange={(event) => route(href(`schemas/${event.currentTarget.value}`))}
    >
      {all.map(({ id, version }) => (
        <option key={id} value={id}>
          {data === undefined
            ? schemasWords.version(version)
            : schemasWords.versionOf(version, all[0]?.version ?? version)}
        </option>
      ))}
    </select>
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

const Existing = ({ id, from }: { readonly id: string; readonly from: string | undefined }) => {
  const query = useSchema(id);
  const own = query.data === undefined || isPredefined(query.data) ? null : query.data;
  return (
    <>
      <PageHead title={query.data?.name ?? id} hint={<code>{id}</code>} guide="schemas">
        {own === null ? null : <Versions schema={own} />}
        <a class="button" href={href(`results?schemaId=${encodeURIComponent(id)}`)}>
          {navWords.results}
        </a>
        {own === null ? null : <Delete schema={own} />}
      </PageHead>
      <Waiting query={query} lines={5}>
        {(schema) => (
          <>
            <Bench key={schema.id} saved={schema} from={from} />
            {own === null ? null : <Differences schema={own} />}
          </>
        )}
      </Waiting>
    </>
  );
};

const Schema = ({ id = "" }: { readonly id?: string }) => {
  const { query } = useLocation();
  // The workbench, which was a screen by itself, named the schema in its query.
  const shown = id === "new" ? query["schema"] : id;
  return shown === undefined ? (
    <>
      <PageHead title={schemasWords.create} guide="schemas" />
      <Bench saved={null} from={query["from"]} />
    </>
  ) : (
    <Existing key={shown} id={shown} from={query["from"]} />
  );
};

export default Schema;
