/** Prints the table of JSON Schema keywords and their treatment in docs/schemas.md, from the list the code uses. */
import { type Construct, CONSTRUCTS } from "../src/model/schema/Keywords.ts";

const ENFORCED: Readonly<Record<Construct["enforced"], string>> = { yes: "yes", part: "in part", no: "no" };

const howEnforced = ({ enforced, isChecked, isDescribed }: Construct): string => {
  if (!isChecked) return "no: a hint";
  if (!isDescribed) return ENFORCED[enforced];
  return enforced === "no" ? "in words" : `${ENFORCED[enforced]}, in words`;
};

const table = [
  ["keywords", "enforced by the provider", "notes"],
  ...CONSTRUCTS.map((construct) => [
    construct.keywords.map((keyword) => `\`${keyword}\``).join(", "),
    howEnforced(construct),
    construct.note
  ])
];
console.log(JSON.stringify(table));
