/** The target of a local `$ref` (RFC 6901 pointers, `$anchor`, draft-07 `$id: "#name"`). Fetches nothing. */
import { isObject, type Json, type JsonObject } from "./Shape.ts";

const step = (value: Json | undefined, name: string): Json | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
};

const unescaped = (name: string): string => {
  const plain = name.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
};

const anchorsOf = (root: JsonObject): ReadonlyMap<string, JsonObject> => {
  const anchors = new Map<string, JsonObject>();
  const walk = (value: Json): void => {
    if (typeof value !== "object" || value === null) return;
    if (isObject(value)) {
      for (const name of [value["$anchor"], value["$dynamicAnchor"]]) {
        if (typeof name === "string") anchors.set(name, value);
      }
      // Draft-04 calls it "id".
      for (const id of [value["id"], value["$id"]]) {
        if (typeof id === "string" && id.startsWith("#")) anchors.set(id.slice(1), value);
      }
    }
    for (const inner of Object.values(value)) walk(inner as Json);
  };
  walk(root);
  return anchors;
};

/** Undefined for targets that are missing or not local. */
export const makeResolve = (root: JsonObject) => {
  let anchors: ReadonlyMap<string, JsonObject> | null = null;
  const id = root["$id"] ?? root["id"];
  const base = typeof id === "string" ? id.replace(/#$/u, "") : "";
  return (reference: string): Json | undefined => {
    const local = base !== "" && reference.startsWith(`${base}#`) ? reference.slice(base.length) : reference;
    if (local === "#" || local === base) return root;
    if (!local.startsWith("#")) return undefined;
    if (!local.startsWith("#/")) {
      anchors ??= anchorsOf(root);
      return anchors.get(local.slice(1));
    }
    return local.slice(2).split("/").map(unescaped).reduce<Json | undefined>(step, root);
  };
};
