// Reads a page or document in this process. The arguments are a file and the URL it came from.
import { readFile } from "node:fs/promises";
import { PageUnreadable, readPage } from "@winnow/pages";

const [file, url] = process.argv.slice(2);
try {
  const { metadata, text } = await readPage(await readFile(file), {
    url,
    contentType: null
  });
  const { title, uploader, uploadDate } = metadata;
  console.log(JSON.stringify({ title, uploader, uploadDate, markdown: text.markdown }));
} catch (error) {
  if (!(error instanceof PageUnreadable)) throw error;
  console.log(JSON.stringify({ reason: error.reason })); // `encrypted`, `damaged`, `too_large`, …
}
