/**
 * Checks the public modules of the packages. `publishConfig.exports` of each package is the list; the packages
 * import each other's other modules through `internal/`, which a release writes into their imports.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { filesOf, read, ROOT } from "./repository.ts";

/** Packages with public modules. */
export const EXPORTING = ["core", "testing", "adapters", "server", "client"] as const;

export type ExportingPackage = (typeof EXPORTING)[number];

/** Prefix of import paths of all modules of a package, for the other packages of Winnow only. */
export const INTERNAL = "internal";

interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly publishConfig: { readonly exports: Readonly<Record<string, string>> };
}

const manifestOf = (name: ExportingPackage): Manifest =>
  JSON.parse(read(`packages/${name}/package.json`)) as Manifest;

export interface PublicEntry {
  /** Import path: `@winnow/testing`. */
  readonly name: string;
  /** Its source, relative to the root of the repository. */
  readonly source: string;
}

/** In the order of the manifest. */
export const publicEntries = (name: ExportingPackage): ReadonlyArray<PublicEntry> =>
  Object.entries(manifestOf(name).publishConfig.exports)
    .filter(([entry]) => !entry.includes("*"))
    .map(([entry, target]) => ({
      name: `@winnow/${name}${entry.slice(1)}`,
      source: `packages/${name}/${target.replace("./dist/", "").replace(/\.js$/u, ".ts")}`
    }));

const WORKSPACE_IMPORT =
  /(?:from |import\(|import )"(@winnow\/(?:core|testing|adapters|server|client)(?:\/[^"]+)?)"/gu;

export const importsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(WORKSPACE_IMPORT)].map(([, name = ""]) => name);

/** In the workspace, an entry must resolve to the source that is published under its name. */
const unlike = (name: ExportingPackage): ReadonlyArray<string> => {
  const { exports, publishConfig } = manifestOf(name);
  const published = publicEntries(name).flatMap((entry) => {
    const key = `.${entry.name.slice(`@winnow/${name}`.length)}`;
    const here = exports[key] ?? `./src/${key.slice(2)}.ts`;
    if (!existsSync(path.join(ROOT, entry.source)))
      return [`${entry.name} names ${entry.source}, which does not exist`];
    return `packages/${name}/${here.slice(2)}` === entry.source
      ? []
      : [`${entry.name} is ${here} in the workspace and ${entry.source} where it is published`];
  });
  const unpublished = Object.keys(exports)
    .filter((key) => !key.includes("*") && !(key in publishConfig.exports))
    .map((key) => `packages/${name}: "${key}" of exports is not in publishConfig.exports`);
  return [...published, ...unpublished];
};

/** Examples are copied by users. */
const wrongExamples = (isPublic: ReadonlySet<string>): ReadonlyArray<string> =>
  filesOf("examples/*.ts")
    .filter((file) => !/^examples\/(?:test|bench)\//u.test(file))
    .flatMap((file) => importsOf(read(file)).map((name) => ({ file, name })))
    .filter(({ name }) => !isPublic.has(name))
    .map(({ file, name }) => `${file}: ${name} is not public; add it to publishConfig.exports`);

/** Authors of adapters must be able to name all types in their port's signatures. */
const hiddenTypes = (isPublic: ReadonlySet<string>): ReadonlyArray<string> =>
  filesOf("packages/core/src/ports/*.ts").flatMap((file) =>
    [...read(file).matchAll(/from "\.\.\/(domain\/[\w/-]+)\.ts"/gu)]
      .map(([, module = ""]) => `@winnow/core/${module}`)
      .filter((name) => !isPublic.has(name))
      .map((name) => `${file}: its ${name} must be in publishConfig.exports of packages/core`)
  );

/** One line per violation. */
export const exportBreaches = (): ReadonlyArray<string> => {
  const isPublic = new Set(EXPORTING.flatMap((name) => publicEntries(name).map((entry) => entry.name)));
  return [...EXPORTING.flatMap(unlike), ...wrongExamples(isPublic), ...hiddenTypes(isPublic)];
};
