/**
 * The components of the yt-dlp in use: `winnow doctor --programs`. Imported as the fork server imports it, with the
 * same options, so that it is the same one.
 */
import { tmpdir } from "node:os";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import { runBounded } from "../../programs/process/BoundedProcess.ts";
import type { ExternalPrograms } from "../../programs/sandbox/ExternalPrograms.ts";
import { programEnvironment } from "../../programs/process/ProgramEnvironment.ts";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { readJson } from "../../programs/process/ProgramOutput.ts";
import { baseFlags } from "./YtDlpArgs.ts";
import { ageDays, ageProblem, missingSince, readYtDlpVersion } from "./YtDlpVersion.ts";

export interface YtDlpComponent {
  readonly name: string;
  /** Version, path or names; null if missing. */
  readonly found: string | null;
  /** What does not work without it. */
  readonly purpose: string;
}

/** Importing every extractor from a cold disk takes about 10 s. */
const REPORT_TIMEOUT_MS = 60_000;

const OUTPUT_MAX_BYTES = 65_536;

/** The import path if there is one, then the options of every run. */
const REPORT = `
import json, os, sys
path, argv = sys.argv[1], sys.argv[2:]
if path:
    sys.path.insert(0, path)
import yt_dlp
options = yt_dlp.parse_options(argv).options
try:
    from yt_dlp.globals import plugin_dirs
    from yt_dlp.plugins import load_all_plugins
    plugin_dirs.value = getattr(options, 'plugin_dirs', []) or []
    if plugin_dirs.value:
        load_all_plugins()
except ImportError:
    pass
def version_of(name):
    try:
        module = __import__(name)
    except Exception:
        return None
    try:
        from importlib.metadata import version
        return version(name)
    except Exception:
        return str(getattr(module, '__version__', None) or getattr(module, 'version', None) or 'found')
def token_providers():
    try:
        import yt_dlp.extractor.youtube
        from yt_dlp.extractor.youtube.pot._registry import _pot_providers
        return sorted(getattr(each, 'PROVIDER_NAME', name) for name, each in _pot_providers.value.items())
    except Exception:
        return []
print(json.dumps({'path': os.path.dirname(yt_dlp.__file__), 'ejs': version_of('yt_dlp_ejs'),
                  'curl_cffi': version_of('curl_cffi'), 'providers': token_providers()}))
`;

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const listOf = (value: unknown): string | null =>
  Array.isArray(value) && value.length > 0 ? value.map(String).join(", ") : null;

const ask = Effect.fnUntraced(function* (
  { path, ytDlpPython }: Pick<ExternalPrograms, "path" | "ytDlpPython">,
  argv: ReadonlyArray<string>
) {
  if (ytDlpPython === null) return null;
  const { interpreter, importPath } = ytDlpPython;
  const outcome = yield* Effect.option(
    runBounded({
      program: interpreter,
      args: ["-c", REPORT, importPath ?? "", ...argv],
      folder: tmpdir(),
      environment: programEnvironment({ path, folder: tmpdir(), proxyUrl: null }),
      timeoutMs: REPORT_TIMEOUT_MS,
      stdoutMaxBytes: OUTPUT_MAX_BYTES
    })
  );
  const answer = outcome._tag === "Some" ? readJson(outcome.value.stdout) : null;
  return isJsonObject(answer) ? answer : null;
});

/** Most important first; for a standalone binary, only the version and its implications. */
export const ytDlpComponents = Effect.fn("YtDlpComponents.report")(function* (
  programs: Pick<ExternalPrograms, "path" | "ytDlp" | "ytDlpPython">,
  extraArgs: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<YtDlpComponent>> {
  const version = yield* readYtDlpVersion(programs);
  const components = yield* ask(programs, baseFlags({ version, node: process.execPath, extraArgs }));
  const nowMs = yield* Clock.currentTimeMillis;
  const days = version === null ? null : ageDays(version, nowMs);
  const fresh = days === null ? "age unknown" : `${days} days old; sites change every few weeks`;
  const aged = (version === null ? null : ageProblem(version, nowMs)) ?? fresh;
  const runsScripts = missingSince("--js-runtimes", version) === null;
  const own: ReadonlyArray<YtDlpComponent> = [
    {
      name: "yt-dlp version",
      found: version,
      purpose: aged
    },
    {
      name: "JavaScript",
      found: runsScripts ? `Node ${process.versions.node} (${process.execPath})` : null,
      purpose: "runs YouTube's player scripts; without it, YouTube offers few formats or none"
    }
  ];
  if (components === null) return own;
  return [
    ...own,
    {
      name: "imported from",
      found: programs.ytDlpPython?.importPath ?? textOf(components["path"]),
      purpose: "the package that the fork server runs"
    },
    {
      name: "ejs",
      found: textOf(components["ejs"]),
      purpose: "solves the challenges in YouTube's player scripts"
    },
    {
      name: "curl_cffi",
      found: textOf(components["curl_cffi"]),
      purpose: "imitates a browser for sites that block other programs, such as TikTok and Vimeo"
    },
    {
      name: "PO tokens",
      found: listOf(components["providers"]),
      purpose: "plugins that generate the PO tokens with which YouTube checks for a browser"
    }
  ];
});
