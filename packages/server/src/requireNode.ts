/** Imported before everything else: an older Node would end in a SyntaxError about one of our dependencies. Tests: publish.test.ts. */
import { NODE_MINIMUM, isRecentNode } from "./nodeVersion.ts";

if (!isRecentNode(process.versions.node)) {
  throw new Error(`@winnow/server needs Node ${NODE_MINIMUM} or newer; this is ${process.versions.node}.`);
}
