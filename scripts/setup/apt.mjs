/** Packages of Debian and Ubuntu, for root. */
import { environment, run, works } from "./commands.mjs";
import { onPath } from "./paths.mjs";

export const canUseApt = () => process.getuid?.() === 0 && onPath("apt-get") !== null;

/** Whether it is among the packages of this distribution. */
export const hasPackage = (name) => works("apt-cache", ["show", "--quiet", name]);

const apt = (...args) => run("apt-get", args, { env: environment({ DEBIAN_FRONTEND: "noninteractive" }) });

let updated = null;

/** Installs packages by name; rejects with apt's own message if that fails. */
export const installWithApt = async (names) => {
  updated ??= apt("update", "-qq");
  await updated;
  await apt("install", "-y", "-qq", "--no-install-recommends", ...names);
};
