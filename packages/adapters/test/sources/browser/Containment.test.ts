// @module-tag alone: what a process hands on
import { createSocket } from "node:dgram";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { afterAll } from "vitest";
import { PageRenderer } from "../../../src/sources/browser/PageRenderer.ts";
import { redirectTo, routes, serve } from "@winnow/isolation/test/network/LoopbackServer";
import { browser, CHROMIUM, type DeniedLine, SKIPPED, workFolder } from "./Browsing.ts";

const workDir = CHROMIUM === null ? "" : workFolder();

/** A datagram socket on loopback, with the number of datagrams it got. */
const listenForDatagrams = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly port: number; readonly count: () => number; readonly close: () => void }>(
        (resolve) => {
          const socket = createSocket("udp4");
          let count = 0;
          socket.on("message", () => count++);
          socket.bind(0, "127.0.0.1", () =>
            resolve({
              port: (socket.address() as AddressInfo).port,
              count: () => count,
              close: () => socket.close()
            })
          );
        }
      )
  ),
  ({ close }) => Effect.sync(close)
);

interface Inside {
  /** Origin of a server that must not be reached. */
  readonly url: string;
  readonly authority: string;
  readonly udpPort: number;
}

interface Seen {
  readonly exit: Exit.Exit<string, unknown>;
  readonly denied: ReadonlyArray<DeniedLine>;
  /** Connections to internal addresses. */
  readonly connections: number;
  readonly datagrams: number;
  /** Names that the guard's resolver was asked for. */
  readonly names: ReadonlyArray<string>;
  /** Paths requested from the public site. */
  readonly paths: ReadonlyArray<string>;
}

/** One public site, one private site, and one browser for all tests. */
const makeScene = Effect.gen(function* () {
  const inside = yield* serve((_request, response) =>
    response.setHeader("access-control-allow-origin", "*").end("secret")
  );
  const udp = yield* listenForDatagrams;
  const at: Inside = { url: inside.url, authority: inside.authority, udpPort: udp.port };
  let page = "";
  let held: ServerResponse | null = null;
  const javaScript =
    (code: string): Parameters<typeof serve>[0] =>
    (_request, response) =>
      response.setHeader("content-type", "text/javascript").end(code);
  const site = yield* serve(
    routes({
      "/": (_request, response) => response.setHeader("content-type", "text/html").end(page),
      // Stays pending until the page has reported its result, so that the page is not idle before.
      "/held": (_request, response) => (held = response),
      "/said": (_request, response) => {
        held?.end();
        response.end();
      },
      "/redirect": redirectTo(`${inside.url}/redirected`),
      "/worker.js": javaScript(
        `fetch("${inside.url}/worker").then(() => postMessage("reached"), () => postMessage("failed"))`
      ),
      "/imports.js": javaScript(`importScripts("${inside.url}/x.js")`)
    })
  );
  const denied: Array<DeniedLine> = [];
  const names: Array<string> = [];
  const resolve = async (host: string) => {
    names.push(host);
    return host.endsWith(".example.net") ? ["127.0.0.1"] : [];
  };
  const context = yield* Layer.build(browser({ workDir, denied, resolve, allow: [site.authority] }));
  const { render } = Context.get(context, PageRenderer);

  return Effect.fnUntraced(function* (pageOf: (inside: Inside) => string, words: number) {
    // A page without visible text is not idle while a request is pending, however long that takes.
    page = `<div id=root ${words > 0 ? "hidden" : ""}>at first</div><script>
      let left = ${words};
      const say = (text) => {
        root.textContent += "; " + text;
        if (--left !== 0) return;
        root.hidden = false;
        fetch("/said");
      };
      fetch("/held").catch(() => {});
      ${pageOf(at)}</script>`;
    const before = {
      denied: denied.length,
      connections: inside.connections(),
      datagrams: udp.count(),
      names: names.length,
      requests: site.requests.length
    };
    const exit = yield* render(`${site.url}/`).pipe(
      Effect.map(({ html }) => html),
      Effect.provide(context),
      Effect.exit
    );
    return {
      exit,
      denied: denied.slice(before.denied),
      connections: inside.connections() - before.connections,
      datagrams: udp.count() - before.datagrams,
      names: names.slice(before.names),
      paths: site.requests.slice(before.requests).map(({ url }) => url ?? "")
    } satisfies Seen;
  });
});

const scope = Scope.makeUnsafe();
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));
const scene = CHROMIUM === null ? null : await Effect.runPromise(Scope.provide(makeScene, scope));

/**
 * A page of the public site that tries to reach an internal address, and says so many results. One that neither says
 * any nor navigates is read after a while.
 */
const attempt = (pageOf: (inside: Inside) => string, words = 1) =>
  (scene ?? assert.fail("no browser"))(pageOf, words);

/** A page that makes all attempts, each with its name before what it says. */
const eachOf =
  (
    attempts: ReadonlyArray<
      readonly [name: string, page: (inside: Inside) => string, ...others: Array<string>]
    >
  ) =>
  (inside: Inside): string => {
    const tell = "const tell = say;";
    const one = (name: string, code: string) =>
      `try { const say = (text) => tell(${JSON.stringify(`${name}: `)} + text); ${code} } catch {}`;
    return tell + attempts.map(([name, page]) => one(name, page(inside))).join("\n");
  };

const htmlOf = ({ exit }: Seen): string => (Exit.isSuccess(exit) ? exit.value : assert.fail(String(exit)));

/**
 * Requested through the proxy, denied with a log line, and never reached. A page that cannot see the status gets
 * the proxy's response as an answer.
 */
const DENIED: ReadonlyArray<readonly [what: string, page: (inside: Inside) => string, says: string]> = [
  ["fetch()", ({ url }) => `fetch("${url}/a").then(() => say("reached"), () => say("failed"))`, "failed"],
  [
    "fetch() without CORS",
    ({ url }) => `fetch("${url}/a", { mode: "no-cors" }).then(() => say("answered"), () => say("failed"))`,
    "answered"
  ],
  [
    "a POST",
    ({ url }) =>
      `fetch("${url}/a", { method: "POST", mode: "no-cors", body: "x" }).then(() => say("answered"), () => say("failed"))`,
    "answered"
  ],
  [
    "XMLHttpRequest",
    ({ url }) =>
      `const x = new XMLHttpRequest(); x.open("GET", "${url}/x"); x.onerror = () => say("failed"); x.send()`,
    "failed"
  ],
  ["a redirect", () => `fetch("/redirect").then(() => say("reached"), () => say("failed"))`, "failed"],
  [
    "a frame",
    ({ url }) =>
      `const f = document.createElement("iframe"); f.src = "${url}/frame"; f.onload = () => say("framed"); document.body.append(f)`,
    "framed"
  ],
  [
    "a script",
    ({ url }) =>
      `const s = document.createElement("script"); s.src = "${url}/s.js"; s.onerror = () => say("failed"); document.body.append(s)`,
    "failed"
  ],
  [
    "a style sheet",
    ({ url }) =>
      `const l = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "${url}/s.css" }); l.onerror = () => say("failed"); document.head.append(l)`,
    "failed"
  ],
  [
    "a WebSocket",
    ({ authority }) =>
      `const w = new WebSocket("ws://${authority}/"); w.onopen = () => say("reached"); w.onerror = () => say("failed")`,
    "failed"
  ],
  [
    "an EventSource",
    ({ url }) => `const e = new EventSource("${url}/e"); e.onerror = () => { e.close(); say("failed") }`,
    "failed"
  ],
  ["a worker", () => `new Worker("/worker.js").onmessage = ({ data }) => say(data)`, "failed"],
  [
    "a module of another origin",
    ({ url }) => `import("${url}/m.js").then(() => say("reached"), () => say("failed"))`,
    "failed"
  ],
  [
    "a name that resolves to the inside",
    ({ url }) =>
      `fetch("${url.replace("127.0.0.1", "a.example.net")}/").then(() => say("reached"), () => say("failed"))`,
    "failed"
  ],
  [
    "another spelling of the address",
    ({ url }) =>
      `fetch("${url.replace("127.0.0.1", "2130706433")}/").then(() => say("reached"), () => say("failed"))`,
    "failed"
  ],
  [
    "the address in IPv6",
    ({ url }) =>
      `fetch("${url.replace("127.0.0.1", "[::ffff:127.0.0.1]")}/").then(() => say("reached"), () => say("failed"))`,
    "failed"
  ],
  [
    "localhost",
    ({ url }) =>
      `fetch("${url.replace("127.0.0.1", "localhost")}/").then(() => say("reached"), () => say("failed"))`,
    "failed"
  ],
  [
    "the metadata service of a cloud",
    () =>
      `fetch("http://169.254.169.254/latest/meta-data/", { mode: "no-cors" }).then(() => say("answered"), () => say("failed"))`,
    "answered"
  ]
];

/** Neither may be reached, and most say nothing. */
const SILENT: ReadonlyArray<readonly [what: string, page: (inside: Inside) => string]> = [
  [
    "a service worker, which it cannot have",
    () => `navigator.serviceWorker.register("/imports.js").then((registration) => say("has " + registration))`
  ],
  ["a beacon", ({ url }: Inside) => `navigator.sendBeacon("${url}/beacon", "x")`],
  [
    "hints",
    ({ url }: Inside) =>
      `for (const rel of ["preconnect", "dns-prefetch", "prefetch", "preload", "modulepreload", "prerender"]) document.head.append(Object.assign(document.createElement("link"), { rel, href: "${url}/" + rel, as: "fetch" }))`
  ],
  [
    "speculation rules",
    ({ url }: Inside) =>
      `document.head.append(Object.assign(document.createElement("script"), { type: "speculationrules", textContent: JSON.stringify({ prefetch: [{ urls: ["${url}/p"] }], prerender: [{ urls: ["${url}/r"] }] }) }))`
  ],
  ["a picture", ({ url }: Inside) => `new Image().src = "${url}/i.png"`],
  [
    "a shared worker",
    ({ url }: Inside) => `new SharedWorker(URL.createObjectURL(new Blob(['fetch("${url}/s")'])))`
  ],
  [
    "WebRTC",
    ({ udpPort }: Inside) => `
        const frame = document.createElement("iframe"); document.body.append(frame);
        const RTC = window.RTCPeerConnection ?? frame.contentWindow.RTCPeerConnection;
        say(String(RTC));
        if (RTC) { const c = new RTC({ iceServers: [{ urls: "stun:127.0.0.1:${udpPort}" }, { urls: "turn:127.0.0.1:${udpPort}?transport=udp", username: "u", credential: "c" }] });
          c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o)) }`
  ],
  [
    "WebTransport",
    ({ udpPort }: Inside) => `
        const frame = document.createElement("iframe"); document.body.append(frame);
        const Transport = window.WebTransport ?? frame.contentWindow.WebTransport;
        if (Transport) new Transport("https://127.0.0.1:${udpPort}/").ready.catch(() => say("failed"))`
  ],
  [
    "WebTransport of a worker",
    ({ udpPort }: Inside) =>
      `new Worker(URL.createObjectURL(new Blob(['new WebTransport("https://127.0.0.1:${udpPort}/")'])))`
  ],
  [
    "files of this machine",
    () => `fetch("file:///etc/passwd").then((r) => r.text()).then(say, () => say("failed"))`
  ]
];

/** Notations of internal addresses, and a name that resolves to one. */
const TARGETS: ReadonlyArray<string> = [
  "127.0.0.1",
  "localhost",
  "2130706433",
  "0x7f.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "0.0.0.0",
  "a.example.net"
];

/** Each reports when it has failed. */
const CHANNELS: ReadonlyArray<readonly [name: string, open: (authority: string) => string]> = [
  ["WebSocket", (at) => `new WebSocket("ws://${at}/").onerror = () => say("failed")`],
  [
    "EventSource",
    (at) => `{ const e = new EventSource("http://${at}/"); e.onerror = () => { e.close(); say("failed") } }`
  ],
  [
    "SharedWorker",
    (at) =>
      `new SharedWorker(URL.createObjectURL(new Blob(['onconnect = ({ ports: [port] }) => fetch("http://${at}/").then(() => port.postMessage("reached"), () => port.postMessage("failed"))']))).port.onmessage = ({ data }) => say(data)`
  ],
  [
    "a database's words",
    (at) =>
      `fetch("http://${at}/", { method: "POST", mode: "no-cors", body: "\\u0000\\u0000\\u0000\\u0008\\u0004\\u00d2\\u0016\\u002f" }).then(() => say("answered"), () => say("failed"))`
  ]
];

describe.skipIf(CHROMIUM === null)(`the inside is out of reach of a page${SKIPPED}`, () => {
  for (const [channel, open] of CHANNELS) {
    it.live(`by ${channel}, however the inside is written`, () =>
      Effect.gen(function* () {
        const seen = yield* attempt(({ authority }) =>
          TARGETS.map((target) => open(authority.replace("127.0.0.1", target))).join(";\n")
        );
        assert.match(htmlOf(seen), /; (?:failed|answered)/u);
        assert.notInclude(htmlOf(seen), "; reached");
        assert.strictEqual(seen.connections, 0);
        assert.isAtLeast(seen.denied.length, TARGETS.length - 1); // some spellings are one address
      })
    );
  }

  it.live("by anything that a page can ask for", () =>
    Effect.gen(function* () {
      const seen = yield* attempt(eachOf(DENIED), DENIED.length);
      for (const [name, , says] of DENIED) assert.include(htmlOf(seen), `; ${name}: ${says}`);
      assert.strictEqual(seen.connections, 0);
      assert.isAtLeast(seen.denied.length, DENIED.length);
      for (const { reason } of seen.denied) assert.include(["address", "host_name", "port"], reason);
    })
  );

  it.live.each([
    ["sending itself there", ({ url }: Inside) => `location.href = "${url}/home"`],
    [
      "a form",
      ({ url }: Inside) =>
        `const f = document.createElement("form"); f.action = "${url}/form"; document.body.append(f); f.submit()`
    ]
  ] as const)("by %s, and then there is no page", ([_what, page]) =>
    Effect.gen(function* () {
      const seen = yield* attempt(page);
      assert.isTrue(Exit.isFailure(seen.exit));
      assert.strictEqual(seen.connections, 0);
      assert.isNotEmpty(seen.denied);
    })
  );

  it.live("by anything that says nothing of its end", () =>
    Effect.gen(function* () {
      const seen = yield* attempt(eachOf(SILENT), 0);
      assert.include(htmlOf(seen), "at first");
      assert.notMatch(htmlOf(seen), /: has (?!undefined)/u);
      assert.notInclude(seen.paths, "/imports.js");
      assert.notInclude(htmlOf(seen), "root:");
      assert.deepStrictEqual([seen.connections, seen.datagrams], [0, 0]);
    })
  );

  it.live("and names are resolved by the guard alone", () =>
    Effect.gen(function* () {
      const seen = yield* attempt(
        () =>
          // The browser's own requests start about two seconds after those of the page.
          `fetch("http://b.example.net/").catch(() => fetch("https://c.example.net/")).catch(() => setTimeout(() => say("failed"), 3_000))`
      );
      assert.include(htmlOf(seen), "failed");
      assert.deepStrictEqual([...new Set(seen.names)], ["b.example.net", "c.example.net"]);
      assert.deepStrictEqual(
        seen.denied.map(({ host, reason }) => [host, reason]),
        [
          ["b.example.net", "address"],
          ["c.example.net", "address"]
        ]
      );
    })
  );
});
