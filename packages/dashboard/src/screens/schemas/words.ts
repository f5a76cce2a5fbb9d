/** Texts of the saved schemas. */
import { plural } from "../../words/words.ts";

export const schemasWords = {
  hint: "A schema defines which values to extract. Each version has its own ID and never changes.",
  create: "New schema",
  emptyTitle: "No schemas saved yet",
  emptyText: "Save one to reuse it by its ID, here and in programs.",
  use: "Use",
  useOf: (name: string) => `Use ${name} for a new extraction`,
  copyId: "Copy ID",
  earlier: (count: number) => `${count} earlier ${plural(count, "version", "versions")}`,
  differences: "Changes",
  compareWith: "Compare with",
  compareWithVersion: (version: number) => `Compared with version ${version}`,
  same: "The fields are the same.",
  field: "Field",
  besideFields: "Beside the fields",
  added: "added",
  removed: "removed",
  changed: "changed",
  promptDiffers: "The guidance differs too.",
  name: "Name",
  version: (version: number) => `Version ${version}`,
  versionOf: (version: number, last: number) => `Version ${version} of ${last} ·`,
  unchanged: "Nothing has changed yet.",
  saveNext: (version: number) => `Save as version ${version}`,
  saved: (name: string, version: number) => `${name} saved as version ${version}`,
  never: "Earlier versions do not change.",
  nameField: "Name at least one field.",
  deleteTitle: (name: string, version: number) => `Delete ${name}, version ${version}?`,
  deleteText: "Submits with its ID will be rejected. Existing results are kept.",
  tryOn: "Try it in the workbench"
};
