/** Saved schemas, newest version first, and the predefined ones. */
import type { SavedSchema } from "@winnow/client";
import { href } from "../../data/addresses.ts";
import { isPredefined, useSchemas } from "../../data/schemas.ts";
import { CopyButton } from "../../parts/Copy.tsx";
import { Empty, Waiting } from "../../parts/Waiting.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Time } from "../../parts/Time.tsx";
import { schemaWords } from "../../parts/schema/words.ts";
import { schemasWords } from "./words.ts";
import { navWords } from "../../words/words.ts";

const fieldNames = ({ schema }: SavedSchema): string =>
  Object.keys((schema["properties"] ?? {}) as object)
    .slice(0, 8)
    .join(", ");

/** Newest version first, as the API lists them. */
const byName = (schemas: ReadonlyArray<SavedSchema>): ReadonlyArray<ReadonlyArray<SavedSchema>> =>
  [...new Set(schemas.map(({ name }) => name))].map((name) =>
    schemas.filter((schema) => schema.name === name).toSorted((a, b) => b.version - a.version)
  );

const Versions = ({ schemas }: { readonly schemas: ReadonlyArray<SavedSchema> }) => (
  <details>
    <summary>{schemasWords.earlier(schemas.length)}</summary>
    <ul class="stack tight">
      {schemas.map((schema) => (
        <li key={schema.id}>
          <a href={href(`schemas/${schema.id}`)}>{schemasWords.version(schema.version)}</a>{" "}
          <span class="hint">
            <Time iso={schema.createdAt} />
          </span>
        </li>
      ))}
    </ul>
  </details>
);

const SchemaList = ({ schemas }: { readonly schemas: ReadonlyArray<SavedSchema> }) => (
  <ul class="panel cards">
    {byName(schemas).map(([newest, ...earlier]) =>
      newest === undefined ? null : (
        <li key={newest.id}>
          <div class="grow">
            <a class="row-link" href={href(`schemas/${newest.id}`)}>
              {newest.name}
            </a>
            <p class="hint">
              {isPredefined(newest) ? null : (
                <>
                  {schemasWords.version(newest.version)} · <Time iso={newest.createdAt} /> ·{" "}
                </>
              )}
              <span class="mono">{fieldNames(newest)}</span>
            </p>
            {earlier.length === 0 ? null : <Versions schemas={earlier} />}
          </div>
          <div class="row">
            <CopyButton text={newest.id} label={schemasWords.copyId} />
            <a
              class="button small"
              href={href(`new?schema=${newest.id}`)}
              aria-label={schemasWords.useOf(newest.name)}
            >
              {schemasWords.use}
            </a>
          </div>
        </li>
      )
    )}
  </ul>
);

const Schemas = () => {
  const query = useSchemas();
  return (
    <>
      <PageHead title={navWords.schemas} hint={schemasWords.hint} guide="schemas">
        <a class="button main" href={href("schemas/new")}>
          {schemasWords.create}
        </a>
      </PageHead>
      <Waiting query={query} lines={6}>
        {(schemas) => {
          const own = schemas.filter((schema) => !isPredefined(schema));
          return (
            <>
              {own.length === 0 ? (
                <Empty title={schemasWords.emptyTitle}>
                  <p>{schemasWords.emptyText}</p>
                </Empty>
              ) : (
                <SchemaList schemas={own} />
              )}
              <h2>{schemaWords.predefined}</h2>
              <SchemaList schemas={schemas.filter(isPredefined)} />
            </>
          );
        }}
      </Waiting>
    </>
  );
};

export default Schemas;
