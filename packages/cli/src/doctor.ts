/**
 * `winnow check` and `winnow doctor`: everything a server needs, what is missing and how to install it. `check` stops at
 * the first setting that names an unusable file; `doctor` reports that among the rest. Tests: winnow.test.ts,
 * modelChecks.test.ts.
 */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import type { ModelCheck, ModelFault } from "@winnow/adapters/model/ModelCheck";
import { presetOf } from "@winnow/adapters/model-server/ServerPresets";
import * as Command from "effect/cli/Command";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import { jsonText } from "@winnow/server/TerminalText";
import { asJson, toggle } from "./flags.ts";
import { CliFailed, settingsFromEnvironment, usableSettings } from "./Inputs.ts";
import { meantSetting, unknownSettings, type Settings } from "@winnow/server/settings/Config";
import { sizeText } from "./Output.ts";
import { localModelOf, STAND_IN_DETAIL, STAND_IN_MODEL } from "@winnow/server/settings/ModelSettings";
import { isWritableFolder } from "@winnow/server/settings/settingPaths";
import { isRecentNode, NODE_MINIMUM } from "@winnow/server/nodeVersion";
import { pasteable } from "@winnow/server/programName";
import { findWebFiles, NO_WEB_APP, WEB_APP_REMEDY } from "@winnow/server/web/WebFiles";

/** One line of the report. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warning" | "missing";
  /** Version, path, or problem. */
  readonly detail: string;
  /** What to type or change; null without a problem. */
  readonly remedy: string | null;
}

const finding =
  (state: Finding["state"]) =>
  (name: string, detail: string, remedy: string | null = null): Finding => ({ name, state, detail, remedy });

const ok = finding("ok");
const warning = finding("warning");
const missing = finding("missing");

export const checkNode = (version: string): Finding =>
  isRecentNode(version)
    ? ok("node", version)
    : missing("node", `${version} is older than ${NODE_MINIMUM}`, "install Node 24 from https://nodejs.org");

/** Names that look like settings, most of them typing errors. */
const checkNames = (): ReadonlyArray<Finding> =>
  unknownSettings(process.env).map((name) => {
    const meant = meantSetting(name);
    const remedy = meant === null ? "unset it, if it is not for another program" : `set ${meant} instead`;
    return warning("setting", `${name} is not a known setting`, remedy);
  });

const dataDirProblem = (dataDir: string): string | null => {
  if (!existsSync(dataDir)) return isWritableFolder(dataDir) ? null : "cannot be created";
  if (!statSync(dataDir).isDirectory()) return "is not a folder";
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "is not writable";
  }
};

/** Looks only: a server creates it. */
const checkDataDir = ({ dataDir }: Settings): Finding => {
  const name = "data directory";
  const problem = dataDirProblem(dataDir);
  if (problem !== null)
    return missing(name, `${dataDir}: ${problem}`, "make it writable or set WINNOW_DATA_DIR to one that is");
  return ok(name, existsSync(dataDir) ? dataDir : `${dataDir}, created by the first start`);
};

/** Checks the free space on the disks that runs write to. */
const checkDisks = Effect.fnUntraced(function* ({ artifactsUrl, dataDir, minFreeBytes }: Settings) {
  const { freeBytesOf } = yield* Effect.promise(() => import("@winnow/server/adapters/artifacts"));
  const folders = [dataDir, ...(artifactsUrl._tag === "Directory" ? [artifactsUrl.directory] : [])];
  const free = yield* Effect.promise(() => Promise.all(folders.map(freeBytesOf)));
  return folders.flatMap((folder, index): ReadonlyArray<Finding> => {
    const freeBytes = free[index] ?? null;
    // Folders are created at the first start.
    if (freeBytes === null) return [];
    const detail = `${sizeText(freeBytes)} free in ${folder}`;
    if (freeBytes >= minFreeBytes) return [ok("disk", detail)];
    const least = `less than WINNOW_MIN_FREE_BYTES (${sizeText(minFreeBytes)}): runs wait`;
    return [missing("disk", `${detail}, ${least}`, "free some space, or lower WINNOW_MIN_FREE_BYTES")];
  });
});

const checkPrograms = Effect.fnUntraced(function* (settings: Settings) {
  const { findPrograms } = yield* Effect.promise(() => import("@winnow/server/adapters/programs"));
  const reports = yield* findPrograms(settings);
  return reports.map(({ name, path, version, required, problem, remedy }): Finding => {
    const where = [version, path === null ? null : `(${path})`].filter((part) => part !== null).join(" ");
    const unusable = path === null || version === null;
    const detail = [where, problem].filter((part) => part !== null && part !== "").join(", ");
    return finding(problem === null ? "ok" : required && unusable ? "missing" : "warning")(
      name,
      detail,
      remedy
    );
  });
});

const checkComponents = Effect.fnUntraced(function* (settings: Settings) {
  const { findYtDlpComponents } = yield* Effect.promise(() => import("@winnow/server/adapters/programs"));
  const components = yield* findYtDlpComponents(settings);
  return components.map(({ name, found, purpose, remedy }) =>
    (found === null ? warning : ok)(name, `${found ?? "none"}: ${purpose}`, remedy)
  );
});

/** A worker serves none. */
const checkWebApp = ({ role }: Settings): ReadonlyArray<Finding> => {
  if (role === "worker") return [];
  const name = "web app";
  return [findWebFiles() === null ? warning(name, NO_WEB_APP, WEB_APP_REMEDY) : ok(name, "served at /app/")];
};

const checkDatabase = Effect.fnUntraced(function* (settings: Settings) {
  const { pingDatabase } = yield* Effect.promise(() => import("@winnow/server/adapters/database"));
  const [what, remedy] =
    settings.databaseUrl === null
      ? ["the embedded PostgreSQL does not start", "set WINNOW_DATABASE_URL to your own PostgreSQL server"]
      : ["WINNOW_DATABASE_URL", "check the address, the password and whether the server is running"];
  return yield* Effect.match(pingDatabase(settings), {
    onSuccess: (detail) => ok("database", detail),
    onFailure: ({ message }) => missing("database", `${what}: ${message}`, remedy)
  });
});

/** Checks a bucket's availability and permissions; a folder is checked with its disk. */
const checkBucket = Effect.fnUntraced(function* (settings: Settings) {
  if (settings.artifactsUrl._tag === "Directory") return [];
  const { pingArtifacts } = yield* Effect.promise(() => import("@winnow/server/adapters/artifacts"));
  const name = "artifacts";
  const remedy = "check WINNOW_ARTIFACTS_URL, the keys and whether the store is running";
  return yield* Effect.match(pingArtifacts(settings), {
    onSuccess: (detail) => [ok(name, detail)],
    onFailure: ({ message }) => [missing(name, message, remedy)]
  });
});

const OWN_LOG = "look into the log of that server, and try its address with curl";

/** A server that does not answer is not ready; the rest of Winnow would be. */
const modelFinding = (
  name: string,
  check: ModelCheck,
  described: string,
  remedyOf: (fault: ModelFault) => string
): Finding =>
  check._tag === "Answered"
    ? ok(name, `${described}, answered in ${check.seconds.toFixed(1)} s`)
    : missing(name, `${described}: ${check.message}`, remedyOf(check.fault));

const LLM_REMEDIES: Readonly<Record<ModelFault, string>> = {
  denied: "check OPENAI_API_KEY",
  no_model: "check WINNOW_LLM_MODEL, whether its server has that model, and WINNOW_LLM_BASE_URL with its /v1",
  unreachable: "check WINNOW_LLM_BASE_URL with its /v1, and whether that server is running",
  silent: "see whether that server is busy; raise WINNOW_LLM_TIMEOUT_SECONDS if it is slow",
  fault_inside: OWN_LOG,
  other: OWN_LOG
};

const SPEECH_REMEDY =
  "check WINNOW_SPEECH_MODEL, WINNOW_SPEECH_BASE_URL with its /v1, WINNOW_SPEECH_API_KEY, and that server's log";

const speechRemedyOf = (fault: ModelFault): string =>
  fault === "silent"
    ? "see whether that server is busy: it took a minute for a second of sound"
    : SPEECH_REMEDY;

/** A context that the server tells, and that is smaller than configured. */
const contextFinding = (contextTokens: number | null, configured: number): ReadonlyArray<Finding> => {
  if (contextTokens === null || contextTokens >= configured) return [];
  const detail = `the language model's server reads ${contextTokens} tokens, fewer than WINNOW_LLM_CONTEXT_TOKENS (${configured})`;
  const remedy = `set WINNOW_LLM_CONTEXT_TOKENS=${contextTokens}, or give the server a larger context`;
  return [warning("context", detail, remedy)];
};

/** Asks each configured model server one short question. */
export const checkModels = Effect.fnUntraced(function* (settings: Settings) {
  const { llmBaseUrl, llmContextTokens, llmModel, llmPreset } = settings;
  // A model on this machine has no server: it is looked for among the programs, and `winnow models test` tries it.
  const speechModel = localModelOf(settings.speechModel) === null ? settings.speechModel : null;
  if (llmModel === null && speechModel === null) return [];
  const { askLanguageModel, askSpeechModel } = yield* Effect.promise(
    () => import("@winnow/server/adapters/analyst")
  );
  const findings: Array<Finding> = [];
  if (llmModel === STAND_IN_MODEL) {
    const remedy = "set OPENAI_API_KEY, and WINNOW_LLM_MODEL to a model's name";
    findings.push(warning("language model", STAND_IN_DETAIL, remedy));
  } else if (llmModel !== null) {
    const { check, contextTokens } = yield* askLanguageModel(settings, llmModel);
    const described = `${llmModel}, preset ${llmPreset ?? presetOf(llmBaseUrl)}`;
    findings.push(modelFinding("language model", check, described, (fault) => LLM_REMEDIES[fault]));
    findings.push(...contextFinding(contextTokens, llmContextTokens));
  }
  if (speechModel !== null) {
    const check = yield* askSpeechModel(settings, speechModel);
    findings.push(modelFinding("speech model", check, speechModel, speechRemedyOf));
  }
  return findings;
});

/** Proxies and cookie files, if there are any; proxies are asked for nothing but an answer. */
const checkRoutes = Effect.fnUntraced(function* (settings: Settings) {
  const { findRoutes } = yield* Effect.promise(() => import("@winnow/server/adapters/routes"));
  const findings = yield* findRoutes(settings);
  return findings.map(({ detail, isUsable, name, trouble }): Finding => {
    const state = !isUsable ? "missing" : trouble === null ? "ok" : "warning";
    const words = trouble === null ? detail : `${detail} ${trouble.problem}`;
    return finding(state)(name, words, trouble?.remedy ?? null);
  });
});

const MARKS: Readonly<Record<Finding["state"], string>> = { ok: "ok  ", warning: "warn", missing: "MISS" };

/** As wide as the longest name. */
const NAME_CHARS = 17;

const line = ({ name, state, detail, remedy }: Finding, dataDir: string): string => {
  const fix = remedy === null ? "" : `\n      ${"fix:".padEnd(NAME_CHARS)} ${pasteable(remedy, dataDir)}`;
  return `${MARKS[state]}  ${name.padEnd(NAME_CHARS)} ${detail}${fix}`;
};

/** "14 ok, 2 warnings" */
const countsText = (findings: ReadonlyArray<Finding>): string => {
  const countOf = (wanted: Finding["state"]) => findings.filter(({ state }) => state === wanted).length;
  const [warnings, lacking] = [countOf("warning"), countOf("missing")];
  const text = `${countOf("ok")} ok, ${warnings} warning${warnings === 1 ? "" : "s"}`;
  return lacking === 0 ? text : `${text}, ${lacking} missing`;
};

const examine = Effect.fnUntraced(function* (settings: Settings) {
  const dataDir = checkDataDir(settings);
  const others = yield* Effect.all([
    checkPrograms(settings),
    checkDisks(settings),
    checkBucket(settings),
    checkRoutes(settings),
    dataDir.state === "ok" ? Effect.map(checkDatabase(settings), (finding) => [finding]) : Effect.succeed([])
  ]);
  return [
    checkNode(process.versions.node),
    ...checkNames(),
    dataDir,
    ...checkWebApp(settings),
    ...others.flat(),
    ...(yield* checkModels(settings))
  ];
});

const report = Effect.fnUntraced(function* (
  { dataDir }: Settings,
  findings: ReadonlyArray<Finding>,
  json: boolean
) {
  const lines = findings.map((finding) => line(finding, dataDir));
  yield* Console.log(json ? jsonText(findings) : [...lines, countsText(findings)].join("\n"));
  const lacking = new Set(findings.filter(({ state }) => state === "missing").map(({ name }) => name));
  if (lacking.size > 0) {
    return yield* new CliFailed(`Not ready: ${[...lacking].join(", ")}. See the lines above for what to do.`);
  }
});

/** Settings are valid by the time the report is created: an invalid one is reported before, in one sentence. */
export const check = Command.make(
  "check",
  { json: asJson },
  Effect.fnUntraced(function* ({ json }) {
    const settings = yield* usableSettings;
    yield* report(settings, yield* examine(settings), json);
  })
).pipe(
  Command.withDescription(
    "Check settings, programs, database, bucket, disk and both model servers without starting a server"
  )
);

export const doctor = Command.make(
  "doctor",
  {
    json: asJson,
    programs: toggle(
      "programs",
      "Check only the programs, and show the packages that yt-dlp uses and their purpose"
    )
  },
  Effect.fnUntraced(function* ({ json, programs }) {
    const settings = yield* settingsFromEnvironment;
    const findings = programs
      ? (yield* Effect.all([checkPrograms(settings), checkComponents(settings)], { concurrency: 2 })).flat()
      : yield* examine(settings);
    yield* report(settings, findings, json);
  })
).pipe(
  Command.withDescription(
    "Check that everything a server needs is installed, and show how to install what is missing"
  )
);
