/** Debian and Ubuntu packages, with yt-dlp and gallery-dl from backports where available. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, say } from "./commands.mjs";
import { onPath } from "./paths.mjs";

const SOURCES_DIR = "/etc/apt/sources.list.d";
const BACKPORTS_FILE = path.join(SOURCES_DIR, "winnow-backports.list");
/** Their releases in Debian stable are too old for the sites. */
const FROM_BACKPORTS = new Set(["yt-dlp", "gallery-dl"]);

const osRelease = () => {
  const text = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  return Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)="?([^"\n]*)"?$/gmu)].map(([, key, value]) => [key, value])
  );
};

export const canUseApt = () => process.getuid?.() === 0 && onPath("apt-get") !== null;

const sourceTexts = () =>
  [
    "/etc/apt/sources.list",
    ...(existsSync(SOURCES_DIR) ? readdirSync(SOURCES_DIR).map((name) => path.join(SOURCES_DIR, name)) : [])
  ]
    .filter((file) => existsSync(file) && /\.(list|sources)$/u.test(file))
    .map((file) => readFileSync(file, "utf8"));

/** The Debian mirror that this machine already uses. */
const mirror = (texts) => {
  for (const text of texts) {
    const found = /^(?:URIs:\s*|deb\s+(?:\[[^\]]*\]\s*)?)(https?:\/\/\S+\/debian\/?)(?:\s|$)/mu.exec(text);
    if (found !== null) return found[1];
  }
  return "http://deb.debian.org/debian";
};

const addBackports = () => {
  const { ID, VERSION_CODENAME: codename } = osRelease();
  const texts = sourceTexts();
  if (
    ID !== "debian" ||
    codename === undefined ||
    texts.some((text) => text.includes(`${codename}-backports`))
  )
    return;
  writeFileSync(BACKPORTS_FILE, `deb ${mirror(texts)} ${codename}-backports main\n`);
  say(`Added ${BACKPORTS_FILE}: Debian's backports carry the yt-dlp that today's sites need.`);
};

const backportsSuite = (name) => {
  const { VERSION_CODENAME: codename } = osRelease();
  const versions = run("apt-cache", ["madison", name]);
  return versions.includes(`${codename}-backports`) ? `${codename}-backports` : null;
};

/** Installs packages by name; throws with apt's own message if that fails. */
export const installWithApt = (names) => {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if (names.some((name) => FROM_BACKPORTS.has(name))) addBackports();
  run("apt-get", ["update", "-qq"], { env });
  const wanted = names.map((name) => {
    const suite = FROM_BACKPORTS.has(name) ? backportsSuite(name) : null;
    return suite === null ? name : `${name}/${suite}`;
  });
  const { VERSION_CODENAME: codename } = osRelease();
  const pin = codename === undefined ? [] : ["-o", `APT::Default-Release=${codename}`];
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...pin, ...wanted], { env });
};
