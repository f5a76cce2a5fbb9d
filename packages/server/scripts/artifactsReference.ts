/** Prints docs/reference/artifacts.md from the table of core/domain/result/ArtifactName and the shape of metadata.json. */
import { ARTIFACT_ROWS, type ArtifactRow } from "@winnow/core/domain/result/ArtifactName";
import { SourceMetadata } from "@winnow/core/domain/source/SourceMetadata";
import { StructuredThing } from "@winnow/core/domain/source/StructuredData";

const code = (text: string | null | undefined): string => (text == null ? "" : `\`${text}\``);

const cells = (row: ArtifactRow): ReadonlyArray<string> => [
  code(row.name),
  row.holds,
  row.modality === null ? "every run" : code(row.modality),
  row.when
];

const HEADER = ["file", "content", "fetched with", "exists"];

const table = [HEADER, HEADER.map(() => "---"), ...ARTIFACT_ROWS.map(cells)].map(
  (row) => `| ${row.join(" | ")} |`
);

const metadata = Object.entries(SourceMetadata.fields).map(
  ([name, { ast }]) => `- ${code(name)}: ${String(ast.annotations?.["description"] ?? "")}`
);

const things = StructuredThing.members.map(
  ({ fields }) => `- ${code(fields.type.literal)}: ${Object.keys(fields.values.fields).map(code).join(", ")}`
);

console.log(`<!-- Generated from core/domain/result/ArtifactName by packages/server/scripts/artifactsReference.ts: do not edit. -->

# Artifacts

The files of a finished run. Names are fixed; \`<language>\` is a BCP 47 tag, \`<number>\` has at least two digits. \`summary.files\` and \`artifacts.files\` list a run's files, \`artifacts.details\` their sizes and content types; the main ones have fields of their own there (\`/docs\` of a server). Texts are UTF-8.

${table.join("\n")}

## metadata.json

Every run has the same fields. Values are the source's claims, cleaned but not verified; null or empty if it does not state them.

${metadata.join("\n")}

### structured

Entries have only fields that the page states unambiguously. Amounts are numbers, durations seconds, dates like \`publishedAt\`, schema.org terms without URL (\`InStock\`). The \`values\` of each type:

${things.join("\n")}`);
