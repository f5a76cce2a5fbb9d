/**
 * What a host may attach to a conversation without calling a tool: files of extractions, as read_file gives them,
 * and saved schemas. Addresses are `winnow://extractions/{id}/files/{name}` and `winnow://schemas/{id}`.
 */
import type { SavedSchema } from "../generated/types.ts";
import type { ToolAnswer } from "./answer.ts";
import { pagedAnswer, readFile } from "./readTools.ts";
import { beginningOf } from "./paging.ts";
import type { ToolCall } from "./toolCall.ts";
import { ToolError } from "./toolError.ts";

export const SCHEMAS_URI = "winnow://schemas";

export const RESOURCES = [
  {
    uri: SCHEMAS_URI,
    name: "schemas",
    title: "Saved schemas",
    description: "Ids and names for the argument schemaId of extract, the newest first.",
    mimeType: "application/json"
  }
] as const;

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: "winnow://extractions/{id}/files/{name}",
    name: "file",
    title: "File of an extraction",
    description:
      "A text by pages (add ?cursor= with nextCursor of the page before), a small image, or a link to what is neither."
  },
  {
    uriTemplate: "winnow://schemas/{id}",
    name: "schema",
    title: "Saved schema",
    description: "Its JSON Schema and its prompt; a very long one by pages, as files are.",
    mimeType: "application/json"
  }
] as const;

export type ResourceContents =
  | { readonly uri: string; readonly mimeType: string; readonly text: string }
  /** In base64. */
  | { readonly uri: string; readonly mimeType: string; readonly blob: string };

/** Of the list of schemas. */
const SCHEMAS_MAX = 50;
const NAME_CHARS_MAX = 200;

const unknownResource = (uri: string): ToolError =>
  new ToolError(
    "not_found",
    `There is no resource ${JSON.stringify(uri.slice(0, 200))}. Addresses look like winnow://extractions/ID/files/NAME and winnow://schemas/ID.`
  );

/** Undefined for what cannot be decoded. */
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

/** Far below what an answer may have, however its text escapes. */
const WHOLE_CHARS_MAX = 20_000;

type Cursor = { readonly cursor?: string };

const schemaContents = (uri: string, schema: SavedSchema, cursor: Cursor): ResourceContents => {
  const whole = jsonOf(uri, schema) as Extract<ResourceContents, { readonly text: string }>;
  if (whole.text.length <= WHOLE_CHARS_MAX) return whole;
  const { content } = pagedAnswer(whole.text, cursor, { name: schema.id, type: whole.mimeType });
  return textOf(uri, content);
};

/** With its facts and its fence around it, it is no longer of its own type. */
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

/** @fails not_found, and what the service answers. Rejects with the signal's reason when it is aborted. */
export const readResource = async (uri: string, call: ToolCall): Promise<ResourceContents> => {
  const [address = "", query = ""] = uri.split("?", 2);
  const [kind, id, ...rest] = address.slice("winnow://".length).split("/").map(decoded);
  const isOurs = address.startsWith("winnow://") && id !== "";
  const given = new URLSearchParams(query).get("cursor");
  const cursor = given === null ? {} : { cursor: given };
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
