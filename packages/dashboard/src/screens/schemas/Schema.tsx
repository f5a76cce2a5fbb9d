/** A schema: its version, its fields with what they read, and what differs from other versions. Tests: schemas.test.ts. */
import type { SavedSchema } from "@winnow/client";
import { useLocation } from "preact-iso";
import { href } from "../../data/addresses.ts";
import { deleteSchema, isPredefined, useSchema, useSchemas } from "../../data/schemas.ts";
import { AskButton } from "../../parts/Dialog.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { navWords, words } from "../../words/words.ts";
import { Bench } from "./Bench.tsx";
import { differencesOf } from "./differences.ts";
import { differenceWords, schemasWords } from "./words.ts";

/** Of the schema's name, newest first; only itself until the others are known. */
const useVersions = (schema: SavedSchema | null): ReadonlyArray<SavedSchema> => {
  const { data = [] } = useSchemas();
  return [
    ...(schema === null ? [] : [schema]),
    ...data.filter(({ id, name }) => name === schema?.name && id !== schema.id)
  ].toSorted((left, right) => right.version - left.version);
};

interface VersionsProps {
  readonly schema: SavedSchema;
  readonly versions: ReadonlyArray<SavedSchema>;
}

const Versions = ({ schema, versions }: VersionsProps) => {
  const { route } = useLocation();
  return (
    <select
      class="versions"
      aria-label={schemasWords.shownVersion}
      value={schema.id}
      onChange={(event) => route(href(`schemas/${event.currentTarget.value}`))}
    >
      {versions.map(({ id, version }) => (
        <option key={id} value={id}>
          {versions.length === 1
            ? schemasWords.version(version)
            : schemasWords.versionOf(version, versions[0]?.version ?? version)}
        </option>
      ))}
    </select>
  );
};

/** From the version before. */
const Changes = ({ schema, versions }: VersionsProps) => {
  const before = versions.find(({ version }) => version < schema.version);
  if (before === undefined) return null;
  const differences = differencesOf(before.schema, schema.schema);
  return (
    <Panel title={differenceWords.since(before.version)}>
      {differences.length === 0 ? <p class="hint">{differenceWords.same}</p> : null}
      <ul class="stack tight">
        {differences.map(({ field, changes }) => (
          <li key={field} dir="auto">
            {field === "" ? differenceWords.besideFields : <code>{field}</code>}: {changes.join("; ")}
          </li>
        ))}
      </ul>
      {(before.prompt ?? "") === (schema.prompt ?? "") ? null : <p>{differenceWords.promptDiffers}</p>}
    </Panel>
  );
};

const Existing = ({ id, from }: { readonly id: string; readonly from: string | undefined }) => {
  const { route } = useLocation();
  const query = useSchema(id);
  const own = query.data === undefined || isPredefined(query.data) ? null : query.data;
  const versions = useVersions(own);
  return (
    <>
      <PageHead
        title={query.data?.name ?? navWords.schemas}
        hint={query.data && <code>{id}</code>}
        guide={query.data && "schemas"}
      >
        {own === null ? null : <Versions schema={own} versions={versions} />}
        {query.data === undefined ? null : (
          <a class="button" href={href(`results?schemaId=${encodeURIComponent(id)}`)}>
            {navWords.results}
          </a>
        )}
        {own === null ? null : (
          <AskButton
            title={schemasWords.deleteTitle(own.name, own.version)}
            action={words.delete}
            does={() => deleteSchema(own.id)}
            then={() => route(href("schemas"))}
          >
            <p>{schemasWords.deleteText}</p>
          </AskButton>
        )}
      </PageHead>
      <Waiting query={query} lines={5}>
        {(schema) => (
          <Bench key={schema.id} saved={schema} from={from}>
            {own === null ? null : <Changes schema={own} versions={versions} />}
          </Bench>
        )}
      </Waiting>
    </>
  );
};

const Schema = ({ id = "" }: { readonly id?: string }) => {
  const { query } = useLocation();
  return id === "new" ? (
    <>
      <PageHead title={schemasWords.create} guide="schemas" />
      <Bench saved={null} from={query["from"]} />
    </>
  ) : (
    <Existing key={id} id={id} from={query["from"]} />
  );
};

export default Schema;
