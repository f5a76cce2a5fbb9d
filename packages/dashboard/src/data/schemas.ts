/** Saved and predefined schemas. */
import { useQuery } from "@tanstack/preact-query";
import type { SavedSchema } from "@winnow/client";
import { cache } from "./cache.ts";
import { winnow } from "./client.ts";

/** Maximum schemas per account, so the list of choices needs no paging. */
const SCHEMAS_MAX = 500;
const PAGE_SIZE = 100;

const LIST = ["schemas"];

const all = async (signal: AbortSignal): Promise<ReadonlyArray<SavedSchema>> => {
  const found: Array<SavedSchema> = [];
  for await (const schema of winnow.schemas.list({ limit: PAGE_SIZE, signal })) {
    found.push(schema);
    if (found.length >= SCHEMAS_MAX) break;
  }
  return found;
};

export const useSchemas = (isWanted = true) =>
  useQuery({ queryKey: LIST, queryFn: ({ signal }) => all(signal), enabled: isWanted });

/** Never changes: every version has its own id. */
export const useSchema = (id: string, isWanted = true) =>
  useQuery({
    queryKey: ["schema", id],
    queryFn: ({ signal }): Promise<SavedSchema> => winnow.schemas.get(id, { signal }),
    enabled: isWanted,
    staleTime: Infinity
  });

export const isPredefined = ({ id }: Pick<SavedSchema, "id">): boolean => /^\w+\.predefined\./u.test(id);

export const saveSchema = async (body: {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly prompt?: string;
}): Promise<SavedSchema> => {
  const saved = await winnow.schemas.save(body);
  await cache.invalidateQueries({ queryKey: LIST });
  return saved;
};

export const deleteSchema = async (id: string): Promise<void> => {
  await winnow.schemas.delete(id);
  await cache.invalidateQueries({ queryKey: LIST });
};

/** The newest version of the own schemas with this name; 0 if there is none. */
export const lastVersion = (schemas: ReadonlyArray<SavedSchema>, name: string): number =>
  Math.max(
    0,
    ...schemas.filter((each) => !isPredefined(each) && each.name === name).map(({ version }) => version)
  );
