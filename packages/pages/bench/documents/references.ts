/** What other programs read from a document: pandoc from DOCX and EPUB, poppler from PDF. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
const OUTPUT_BYTES_MAX = 200_000_000;

export interface Reference {
  readonly text: string;
  /** Empty if the program does not return structure. */
  readonly markdown: string;
  readonly pageCount: number | null;
  readonly title: string | null;
  readonly author: string | null;
  /** YYYYMMDD */
  readonly date: string | null;
}

const outputOf = async (program: string, options: ReadonlyArray<string>): Promise<string | null> => {
  try {
    const { stdout } = await run(program, options, { timeout: TIMEOUT_MS, maxBuffer: OUTPUT_BYTES_MAX });
    return stdout;
  } catch {
    return null;
  }
};

const fieldOf = (info: string, name: string): string | null =>
  new RegExp(`^${name}:[ \\t]*(\\S.*)$`, "m").exec(info)?.[1]?.trim() ?? null;

const pdfReference = async (path: string): Promise<Reference | null> => {
  const [text, info] = [
    await outputOf("pdftotext", ["-enc", "UTF-8", path, "-"]),
    await outputOf("pdfinfo", ["-isodates", path])
  ];
  if (text === null || info === null) return null;
  return {
    text,
    markdown: "",
    pageCount: Number(fieldOf(info, "Pages") ?? NaN),
    title: fieldOf(info, "Title"),
    author: fieldOf(info, "Author"),
    date: fieldOf(info, "CreationDate")?.slice(0, 10).replaceAll("-", "") ?? null
  };
};

const pandocReference = async (path: string, format: string): Promise<Reference | null> => {
  const read = (to: string) => outputOf("pandoc", ["-f", format, "-t", to, "--wrap=none", path]);
  const [text, markdown] = [await read("plain"), await read("gfm")];
  if (text === null || markdown === null) return null;
  return { text, markdown, pageCount: null, title: null, author: null, date: null };
};

/** Every word of the slides, in the order of their files: what any reader must find. */
const slidesReference = async (path: string): Promise<Reference | null> => {
  const list = await outputOf("unzip", ["-Z1", path]);
  const names = (list ?? "")
    .split("\n")
    .filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))
    .toSorted((one, other) => Number(/\d+/.exec(one)?.[0]) - Number(/\d+/.exec(other)?.[0]));
  const parts: Array<string> = [];
  for (const name of names) parts.push((await outputOf("unzip", ["-p", path, name])) ?? "");
  const text = parts
    .map((part) =>
      [...part.matchAll(/<a:p[ >].*?<\/a:p>/gs)]
        .map(([paragraph]) => paragraph.replace(/<a:(?:br|tab)\b[^>]*>/g, " ").replace(/<[^>]*>/g, ""))
        .join("\n")
    )
    .join("\n")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
  if (names.length === 0) return null;
  return { text, markdown: "", pageCount: names.length, title: null, author: null, date: null };
};

/** Null if the program cannot read it either. */
export const referenceOf = async (path: string, kind: string): Promise<Reference | null> => {
  if (kind === "pdf") return pdfReference(path);
  return kind === "pptx" ? slidesReference(path) : pandocReference(path, kind);
};
