/** Prints docs/reference/artifacts.md from the table of core/domain/ArtifactName. */
import { ARTIFACT_ROWS, type ArtifactRow } from "@winnow/core/domain/ArtifactName";

const KIND_NAMES = { video: "video", photos: "photo post", webpage: "webpage" } as const;

const code = (text: string | null | undefined): string => (text == null ? "" : `\`${text}\``);

const cells = (row: ArtifactRow): ReadonlyArray<string> => [
  code(row.name),
  row.holds,
  code(row.contentType),
  row.modality === null ? "every run" : code(row.modality),
  row.kinds.map((kind) => KIND_NAMES[kind]).join(", "),
  row.when,
  code(row.summaryField),
  code(row.urlKey)
];

const HEADER = ["file", "holds", "content type", "fetched with", "of a", "there", "`summary`", "`artifacts`"];

const table = [HEADER, HEADER.map(() => "---"), ...ARTIFACT_ROWS.map(cells)].map(
  (row) => `| ${row.join(" | ")} |`
);

console.log(`<!-- Made from core/domain/ArtifactName by packages/server/scripts/artifactsReference.ts: do not edit. -->

# Artifacts

The files of a finished run. Names are fixed; \`<language>\` is a BCP 47 tag, \`<number>\` has two digits or more. \`summary.files\` and \`artifacts.files\` list every file of a run, \`artifacts.details\` their sizes and types.

${table.join("\n")}`);
