/** Packages of Debian and Ubuntu, for root. */
import { run } from "./commands.mjs";
import { onPath } from "./paths.mjs";

export const canUseApt = () => process.getuid?.() === 0 && onPath("apt-get") !== null;

/** Installs packages by name; throws with apt's own message if that fails. */
export const installWithApt = (names) => {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  run("apt-get", ["update", "-qq"], { env });
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], { env });
};
