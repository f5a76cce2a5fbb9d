/** The name of a batch that was given none: where its links lead, and with which schema they are read. Pure. */
import { isJsonObject } from "../text/Json.ts";
import type { RunRequest } from "../request/RunRequest.ts";
import { NAME_CHARS_MAX } from "../text/NameText.ts";

const hostOf = (url: string): string => (URL.parse(url)?.hostname ?? "").replace(/^www\./u, "");

/** "recipe" of `winnow.predefined.recipe.v1`; the title of an inline schema; "" without either. */
const schemaName = ({ schema, schemaOrigin }: Pick<RunRequest, "schema" | "schemaOrigin">): string => {
  const id = schemaOrigin?.id ?? (typeof schema === "string" ? schema : "");
  if (id !== "") return /\.predefined\.(.+)\.v\d+$/u.exec(id)?.[1] ?? id;
  return isJsonObject(schema) && typeof schema.title === "string" ? schema.title : "";
};

/** "news.example and 2 more: recipe"; hosts by how many of the links they have. `saved`: the name of their one schema. */
export const derivedName = (
  urls: ReadonlyArray<string>,
  requests: ReadonlyArray<Pick<RunRequest, "schema" | "schemaOrigin">>,
  saved?: string
): string => {
  const counts = new Map<string, number>();
  for (const host of urls.map(hostOf).filter(Boolean)) counts.set(host, (counts.get(host) ?? 0) + 1);
  const [first = "No links", ...others] = [...counts]
    .toSorted(([, left], [, right]) => right - left)
    .map(([host]) => host);
  const [schema = "", ...different] = [...new Set(requests.map(schemaName))];
  const hosts = others.length === 0 ? first : `${first} and ${others.length} more`;
  return `${hosts}${schema === "" || different.length > 0 ? "" : `: ${saved ?? schema}`}`.slice(
    0,
    NAME_CHARS_MAX
  );
};
