/**
 * MCP resources, which a host can attach without calling a tool: files of extractions, as read_file returns
 * them, and saved schemas. URIs: `winnow://extractions/{id}/files/{name}` and `winnow://schemas/{id}`. Tests:
 * tools.test.ts.
 */
import type { SavedSchema } from "../generated/types.ts";
import type { ToolAnswer } from "./answer.ts";
import { pagedAnswer, readFile } from "./readTools.ts";
import { beginningOf } from "./paging.ts";
import type { ToolCall } from "./toolSource.ts";
import { CITED_CHARS_MAX } from "../core/itemPath.ts";
import { ToolError } from "./toolError.ts";

const SCHEMAS_URI = "winnow://schemas";

export const RESOURCES = [
  {
    uri: SCHEMAS_URI,
    name: "schemas",
    title: "Saved schemas",
    description: "Ids and names of saved schemas, for the argument schemaId of extract. Newest first.",
    mimeType: "application/json"
  }
] as const;

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: "winnow://extractions/{id}/files/{name}",
    name: "file",
    title: "File of an extraction",
    description:
      "A text file in pages (add ?cursor= with nextCursor of the previous page), a small image, or a " +
      "download link for other files."
  },
  {
    uriTemplate: "winnow://schemas/{id}",
    name: "schema",
    title: "Saved schema",
    description: "The JSON Schema and its prompt. Very long ones are paged like files.",
    mimeType: "application/json"
  }
] as const;

export type ResourceContents =
  | { readonly uri: string; readonly mimeType: string; readonly text: string }
  /** In base64. */
  | { readonly uri: string; readonly mimeType: string; readonly blob: string };

/** Maximum number of schemas in the list. */
const SCHEMAS_MAX = 50;
const NAME_CHARS_MAX = 200;

const unknownResource = (uri: string): ToolError =>
  new ToolError(
    "not_found",
    `There is no resource ${JSON.stringify(uri.slice(0, CITED_CHARS_MAX))}. Valid URIs: ` +
      `winnow://extractions/ID/files/NAME and winnow://schemas/ID.`
  );

/** Undefined if it cannot be decoded. */
const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

const jsonOf = (uri: string, value: unknown): ResourceContents => ({
  uri,
  mimeType: "application/json",
  text: JSON.stringify(value, null, 2)
});

/** Far below the limit of a result, however much escaping adds. */
const WHOLE_CHARS_MAX = 20_000;

type Cursor = { readonly cursor?: string };

const schemaContents = (uri: string, schema: SavedSchema, cursor: Cursor): ResourceContents => {
  const whole = jsonOf(uri, schema) as Extract<ResourceContents, { readonly text: string }>;
  if (whole.text.length <= WHOLE_CHARS_MAX) return whole;
  const { content } = pagedAnswer(whole.text, cursor, { name: schema.id, type: whole.mimeType });
  return textOf(uri, content);
};

/** The facts and the fence around it make it plain text, whatever the file's type. */
const textOf = (uri: string, content: ToolAnswer["content"]): ResourceContents => {
  const text = content.find((part) => part.type === "text")?.text ?? "";
  return { uri, mimeType: "text/plain", text };
};

const listOf = (schemas: ReadonlyArray<SavedSchema>) =>
  schemas.map(({ id, name }) => ({
    id,
    name: beginningOf(name, NAME_CHARS_MAX),
    uri: `${SCHEMAS_URI}/${id}`
  }));

const fileContents = async (
  uri: string,
  input: Cursor & { readonly id: string; readonly name: string },
  call: ToolCall
): Promise<ResourceContents> => {
  const { content } = await readFile(input, call);
  const image = content.find((part) => part.type === "image");
  return image === undefined ? textOf(uri, content) : { uri, mimeType: image.mimeType, blob: image.data };
};

/** @fails not_found, and errors of the API. Rejects with the signal's reason when it is aborted. */
export const readResource = async (uri: string, call: ToolCall): Promise<ResourceContents> => {
  const [address = "", query = ""] = uri.split("?", 2);
  const [kind, id, ...rest] = address.slice("winnow://".length).split("/").map(decoded);
  const isOurs = address.startsWith("winnow://") && id !== "";
  const cursorParameter = new URLSearchParams(query).get("cursor");
  const cursor = cursorParameter === null ? {} : { cursor: cursorParameter };
  if (isOurs && kind === "schemas" && rest.length === 0) {
    return id === undefined
      ? jsonOf(uri, listOf(await call.source.schemas(SCHEMAS_MAX, call.signal)))
      : schemaContents(uri, await call.source.schema(id, call.signal), cursor);
  }
  const [folder, name, ...more] = rest;
  if (!isOurs || kind !== "extractions" || id === undefined || folder !== "files") throw unknownResource(uri);
  if (name === undefined || name === "" || more.length > 0) throw unknownResource(uri);
  return fileContents(uri, { id, name, ...cursor }, call);
};
