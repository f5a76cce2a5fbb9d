/** Saved schemas, each by its newest version, and the predefined ones. */
import type { SavedSchema } from "@winnow/client";
import { href } from "../../data/addresses.ts";
import { isPredefined, lastVersion, useSchemas } from "../../data/schemas.ts";
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

const SchemaList = ({ schemas }: { readonly schemas: ReadonlyArray<SavedSchema> }) => (
  <ul class="panel cards">
    {schemas.map((schema) => (
      <li key={schema.id}>
        <div class="grow">
          <a class="row-link" href={href(`schemas/${schema.id}`)}>
            {schema.name}
          </a>
          <p class="hint">
            {isPredefined(schema) ? null : (
              <>
                {schemasWords.version(schema.version)} · <Time iso={schema.createdAt} /> ·{" "}
              </>
            )}
            <span class="mono">{fieldNames(schema)}</span>
          </p>
        </div>
        <div class="row">
          <CopyButton text={schema.id} label={schemasWords.copyId} />
          <a
            class="button small"
            href={href(`new?schema=${schema.id}`)}
            aria-label={schemasWords.useOf(schema.name)}
          >
            {schemasWords.use}
          </a>
        </div>
      </li>
    ))}
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
          const own = schemas.filter(
            (schema) => !isPredefined(schema) && schema.version === lastVersion(schemas, schema.name)
          );
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
