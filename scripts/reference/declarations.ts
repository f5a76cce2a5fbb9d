/** The exports of a declaration file, including re-exports, with comments and without private members. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";

export interface Exported {
  readonly name: string;
  /** The file that declares it. */
  readonly file: string;
  /** Markdown. */
  readonly comment: string;
  /** TypeScript, without `export declare` and without private members. */
  readonly declaration: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly source?: { readonly value: string } | null;
  readonly declaration?: Node | null;
  readonly declarations?: ReadonlyArray<{ readonly id: { readonly name: string } }>;
  readonly specifiers?: ReadonlyArray<{
    readonly local: { readonly name: string };
    readonly exported: { readonly name: string };
  }>;
  readonly id?: { readonly name: string };
  readonly body?: Node & { readonly body?: ReadonlyArray<Member> };
}

interface Member extends Node {
  readonly accessibility?: string | null;
}

interface Module {
  readonly file: string;
  readonly text: string;
  readonly statements: ReadonlyArray<Node>;
  readonly comments: ReadonlyArray<{ readonly value: string; readonly start: number; readonly end: number }>;
}

const modules = new Map<string, Module>();

const read = (file: string): Module => {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, "utf8");
  const { program, comments } = parseSync(file, text);
  const module = { file, text, statements: program.body as unknown as ReadonlyArray<Node>, comments };
  modules.set(file, module);
  return module;
};

const commentBefore = ({ text, comments }: Module, start: number) =>
  comments.find(
    ({ end, value }) => end <= start && value.startsWith("*") && text.slice(end, start).trim() === ""
  );

/** Text of a comment, with links to names as code. */
const wordsOf = (value: string): string =>
  value
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/u, "").trim())
    .join("\n")
    .replaceAll(/\{@link (\w+)\}/gu, "`$1`")
    .trim();

const isHidden = ({ accessibility }: Member): boolean =>
  accessibility === "private" || accessibility === "protected";

/** Text of a declaration without private members and their comments. */
const textOf = (module: Module, node: Node): string => {
  const { text } = module;
  const cuts = (node.type === "ClassDeclaration" ? (node.body?.body ?? []) : []).filter(isHidden);
  let declaration = "";
  let from = node.start;
  for (const member of cuts) {
    const start = commentBefore(module, member.start)?.start ?? member.start;
    declaration += text.slice(from, start).trimEnd();
    from = member.end;
  }
  declaration += text.slice(from, node.end);
  return declaration
    .replace(/^(?:export )?(?:declare )?/u, "")
    .replaceAll(/^(?: {4})+/gmu, (indent) => " ".repeat(indent.length / 2))
    .replace(/\{\n {2}name: string;\n\}$/u, "{}");
};

const namesOf = (node: Node): ReadonlyArray<string> =>
  node.declarations?.map(({ id }) => id.name) ?? (node.id === undefined ? [] : [node.id.name]);

const exportedFrom = (module: Module, node: Node, outer: Node): ReadonlyArray<Exported> =>
  namesOf(node).map((name) => ({
    name,
    file: module.file,
    comment: wordsOf(commentBefore(module, outer.start)?.value ?? "*"),
    declaration: textOf(module, node)
  }));

const sourceOf = (module: Module, { source }: Node): string =>
  path.resolve(path.dirname(module.file), (source?.value ?? "").replace(/\.(?:js|ts)$/u, ".d.ts"));

export const exportsOf = (file: string): ReadonlyArray<Exported> => {
  const module = read(file);
  const local = module.statements.flatMap((node) => exportedFrom(module, node, node));
  return module.statements.flatMap((node) => {
    if (node.type === "ExportAllDeclaration") return exportsOf(sourceOf(module, node));
    if (node.type !== "ExportNamedDeclaration") return [];
    if (node.declaration !== null && node.declaration !== undefined) {
      return exportedFrom(module, node.declaration, node);
    }
    const all = node.source === null || node.source === undefined ? local : exportsOf(sourceOf(module, node));
    return (node.specifiers ?? []).flatMap(({ local: { name }, exported }) =>
      all.filter((each) => each.name === name).map((each) => ({ ...each, name: exported.name }))
    );
  });
};
