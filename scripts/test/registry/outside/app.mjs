// An app: WINNOW_URL and WINNOW_API_KEY in its environment, the address of a page and a folder as arguments.
import { Winnow } from "@winnow/client/node";

const [url, folder] = process.argv.slice(2);
const winnow = new Winnow();
const { price } = await winnow.probe({ url });
const result = await winnow.extract({ url });
const saved = await winnow.files.saveAll(result.id, folder);
console.log(JSON.stringify({ quoted: price.credits, title: result.summary.title, saved }));
