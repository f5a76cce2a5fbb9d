/** A service with one finished extraction, for tests of the tools' output. */
import type { ToolCall, ToolSource } from "../../src/tools/index.ts";
import { RunKeys } from "../../src/tools/index.ts";

export const ID = "ext_1";

const TYPES: Readonly<Record<string, string>> = {
  txt: "text/plain; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  json: "application/json",
  jpg: "image/jpeg",
  mp4: "video/mp4"
};

export interface Finished {
  readonly files?: Readonly<Record<string, string>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly summary?: Readonly<Record<string, unknown>>;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const typeOf = (name: string): string => TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";

/** With the fields that the tools read. */
export const sourceOf = ({ files = {}, result = {}, summary = {} }: Finished): ToolSource => {
  const names = Object.keys(files);
  const complete = {
    id: ID,
    status: "complete",
    summary: {
      url: "https://example.com/",
      title: "A talk",
      transcriptFile: names.includes("transcript.txt") ? "transcript.txt" : null,
      files: names,
      ...summary
    },
    artifacts: {
      details: names.map((name) => ({
        name,
        bytes: bytesOf(files[name] ?? "").length,
        contentType: typeOf(name)
      }))
    },
    outcome: null,
    extraction: null,
    parts: {},
    warnings: [],
    ...result
  };
  const detail = { id: ID, status: "complete", creditsDebited: 50, creditsRefunded: 0, cached: false };
  const source = {
    submit: async () => ({ id: ID, status: "pending", creditsDebited: 50, replayed: false }),
    submittedAtMs: async () => null,
    wait: async () => undefined,
    result: async () => complete,
    extraction: async () => detail,
    balance: async () => 1_000,
    link: async () => ({ url: "https://winnow.example/link", expiresAt: "2026-01-01T00:15:00.000Z" }),
    file: async (_id: string, name: string, bytesMax: number) => {
      const bytes = bytesOf(files[name] ?? "");
      return { contentType: typeOf(name), sizeBytes: bytes.length, bytes: bytes.subarray(0, bytesMax) };
    }
  };
  return source as unknown as ToolSource;
};

export const callOn = (source: ToolSource, more: Partial<ToolCall> = {}): ToolCall => ({
  source,
  signal: new AbortController().signal,
  onProgress: () => undefined,
  maxCredits: 500,
  keys: new RunKeys(),
  scope: "",
  ...more
});
