import { readPage } from "./page/index.js";
const s=performance.now();
console.log((await readPage(new TextEncoder().encode("<title>Dist</title><p>Hello there</p>"),{url:"https://a.test/",contentType:null})).title, performance.now()-s);
