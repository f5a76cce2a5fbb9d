/** The oldest Node that the server runs on: `engines` of its package.json. Tests: the CLI's winnow.test.ts. */
import { MANIFEST } from "./version.ts";

/** `22.19` */
export const NODE_MINIMUM = /[\d.]+/u.exec(MANIFEST?.engines.node ?? "")?.[0] ?? "0";

export const isRecentNode = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [minMajor = 0, minMinor = 0] = NODE_MINIMUM.split(".").map(Number);
  return major > minMajor || (major === minMajor && minor >= minMinor);
};
