/** The last step of `npm run pack`: what to type in another project. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./setup/paths.mjs";

const folder = path.join(ROOT, "packed");
const archives = readdirSync(folder)
  .filter((name) => name.endsWith(".tgz"))
  .map((name) => path.join(folder, name));
const install = (wanted) =>
  `  npm install ${archives.filter((file) => wanted(path.basename(file))).join(" ")}`;

console.log(`The client, in your project:
${install((name) => name === "winnow-client.tgz")}
The server, with the winnow program or inside your own (docs/operations.md, docs/embedding.md):
${install((name) => !["winnow-local-speech.tgz", "winnow-testing.tgz"].includes(name))}
For speech models on its machine, also:
${install((name) => name === "winnow-local-speech.tgz")}
For its tests, also:
${install((name) => name === "winnow-testing.tgz")}`);
