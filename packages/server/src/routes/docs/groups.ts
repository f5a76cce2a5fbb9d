/** The groups of operations in the OpenAPI document, as the reference shows them. Pure. */
import type { OpenApiDocument, Tag } from "../../http/openapi/OpenApiDocument.ts";
import { endpointsOf, type Endpoint } from "./requestExamples.ts";

export interface Group extends Tag {
  readonly title: string;
  readonly endpoints: ReadonlyArray<Endpoint>;
}

/** `adminSchemas` is "Admin schemas". */
const titleOf = ({ name }: Tag): string =>
  `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`)}`;

export const groupsOf = ({ tags, paths }: OpenApiDocument): ReadonlyArray<Group> => {
  const endpoints = endpointsOf(paths);
  return tags.map((tag) => ({
    ...tag,
    title: titleOf(tag),
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(tag.name))
  }));
};

/** Pages beside those of the groups, whose names they must not have. */
export const TYPES = "types";
export const ERRORS = "errors";
