// An app. The environment has WINNOW_URL and WINNOW_API_KEY; the arguments are the URL of a page and a folder.
import { Winnow } from "@winnow/client/node";

const [url, folder] = process.argv.slice(2);
const winnow = new Winnow();
const { price } = await winnow.probe({ url });
const result = await winnow.extract({ url });
const saved = await winnow.files.saveAll(result.id, folder);
console.log(JSON.stringify({ quoted: price.credits, title: result.summary.title, saved }));
