/** A book (EPUB 2 and 3): its chapters in the order of reading, as the HTML that they are. */
import { childOf, elementsOf, firstText, optionalXml, pathBeside, requiredXml } from "./Markup.ts";
import { type ZipEntries, ZipRefused } from "./ZipEntries.ts";

export const BOOK_MARK = "META-INF/container.xml";

export interface Book {
  readonly html: string;
  readonly title: string | null;
  readonly author: string | null;
  readonly date: string | null;
  readonly language: string | null;
}

/** Fonts are often encrypted in books that anybody may read. */
const encryptedPaths = (zip: ZipEntries): ReadonlySet<string> => {
  const root = optionalXml(zip, "META-INF/encryption.xml");
  const references =
    root === null ? [] : [...elementsOf(root, "enc:CipherReference"), ...elementsOf(root, "CipherReference")];
  return new Set(references.map(({ attributes }) => pathBeside("x", attributes["URI"] ?? "")));
};

const bodyIn = (chapter: string): string => /<body\b[^>]*>([\s\S]*?)<\/body>/i.exec(chapter)?.[1] ?? "";

export const readBook = (zip: ZipEntries): Book => {
  const [rootFile] = elementsOf(requiredXml(zip, BOOK_MARK), "rootfile");
  const path = rootFile?.attributes["full-path"] ?? "";
  const root = requiredXml(zip, path);
  const paths = new Map(
    elementsOf(root, "item").map(({ attributes }) => [
      attributes["id"] ?? "",
      pathBeside(path, attributes["href"] ?? "")
    ])
  );
  const encrypted = encryptedPaths(zip);
  const chapters = elementsOf(root, "itemref")
    .filter(({ attributes }) => attributes["linear"] !== "no")
    .map(({ attributes }) => paths.get(attributes["idref"] ?? "") ?? "");
  if (chapters.some((each) => encrypted.has(each))) throw new ZipRefused("encrypted");
  const bodies = chapters.map((each) => `<section>${bodyIn(zip.text(each) ?? "")}</section>`);
  const metadata = childOf(root, "package", "metadata") ?? root;
  return {
    html: `<body>${bodies.join("")}</body>`,
    title: firstText(metadata, "dc:title"),
    author: firstText(metadata, "dc:creator"),
    date: firstText(metadata, "dc:date"),
    language: firstText(metadata, "dc:language")
  };
};
