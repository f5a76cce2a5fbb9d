// @module-tag long
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../src/programs/ExternalPrograms.ts";
import { baseFlags, downloadFlags, inspectFlags } from "../../src/sources/yt-dlp/YtDlpArgs.ts";
import { readYtDlpVersion } from "../../src/sources/yt-dlp/YtDlpVersion.ts";
import { printedInServer, runPython } from "./runPython.ts";

/** Compares the options of runs as parsed by yt-dlp and by the server, without functions, which differ each time. */
const COMPARE = `
class Template:
    _ies = type('', (), {'compile_for': lambda self, url: None})()

def plain(parsed):
    return {name: value for name, value in parsed.ydl_opts.items() if not callable(value)}

for argv in argument:
    server.prepare({'operation': 'inspect', 'url': '', 'argv': argv}, Template)
pairs = [(plain(server.yt_dlp.parse_options(argv)), plain(server.parse(argv))) for argv in argument]
json.dump({'parsed': len(server.PARSED), 'differ': [argv for argv, (one, other) in zip(argument, pairs) if one != other],
           'proxies': [other['proxy'] for _, other in pairs], 'cookies': [other['cookiefile'] for _, other in pairs]},
          sys.stdout)
`;

/** Members of yt-dlp in our Python that begin with an underscore, as attributes or as names in strings. */
const USED = `
import ast, glob, json, sys
sys.path.insert(0, sys.argv[1])
used = set()
for name in glob.glob(sys.argv[1] + '/*.py'):
    with open(name, encoding='utf-8') as source:
        for node in ast.walk(ast.parse(source.read())):
            if isinstance(node, ast.Attribute) and getattr(node.value, 'id', '') not in ('os', 're', '_strptime'):
                used.add(node.attr)
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                used.add(node.value)
import private_members
listed = set(' '.join(private_members.MEMBERS.values()).split())
ours = {'_reads_comments', '_replace'}  # our own key of an info dictionary, and a method of any named tuple
is_private = lambda name: name.isidentifier() and name.startswith('_') and not name.startswith('__')
print(json.dumps({'unlisted': sorted(set(filter(is_private, used)) - listed - ours),
                  'unused': sorted(set(filter(is_private, listed)) - used)}))
`;

/** Connects to the proxy, where only the Unix socket listens, and to another server: prints what it reached. */
const REACHED = `
import json, os, socket, sys, tempfile
sys.path.insert(0, sys.argv[1])
import proxy_socket
reached = []
with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as proxy, \\
        socket.create_server(('127.0.0.1', 0)) as other:
    proxy.bind(os.path.join(folder, 'proxy'))
    proxy.listen()
    proxy_socket.use(1, proxy.getsockname())
    for address in (('127.0.0.1', 1), other.getsockname()):
        with socket.create_connection(address, timeout=60) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with socket.socket(fileno=os.dup(connection.fileno())) as same:
                reached.append(same.family.name)
print(json.dumps(reached))
`;

/** Looks for pages that come after so many seconds: how often, and when each is found. */
const LOOK_FOR_PAGES = `
import os, tempfile, types
def look_for(comes):
    now, looks = 0.0, 0
    def sleep(seconds):
        nonlocal now, looks
        now, looks = now + seconds, looks + 1
        if now >= comes:
            with open('page.json', 'w') as file:
                file.write('{}')
    server.read_once.time = types.SimpleNamespace(monotonic=lambda: now, sleep=sleep)
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, 'wb') as report:
        os.chdir(folder)
        server.read_once.ReadOnce(None, 'http://one.test/', None, report.fileno()).wait_for_headers()
        os.chdir('/')
    return {'looks': looks, 'found': now}
print(json.dumps([look_for(comes) for comes in argument]))
`;

describe("The options of the fork server", () => {
  it.live("are parsed once for many runs, and those of each run are its own, as yt-dlp reads them", () =>
    Effect.gen(function* () {
      const programs = yield* locatePrograms({});
      const version = yield* readYtDlpVersion(programs);
      // The operator's options may end with one that also begins a run's options.
      const base = baseFlags({ version, node: process.execPath, extraArgs: ["--user-agent", "--proxy"] });
      const inspection = [...base, ...inspectFlags("1:2")];
      const runs = [
        [
          ...inspection,
          "--proxy",
          "http://one:a@127.0.0.1:1",
          "--cookies",
          "/runs/one/cookies.inspection.txt"
        ],
        [
          ...inspection,
          "--proxy",
          "http://two:b@127.0.0.1:2",
          "--cookies",
          "/runs/two/cookies.inspection.txt"
        ],
        [...inspection, "--proxy", "http://three:c@127.0.0.1:3"],
        [
          ...base,
          ...downloadFlags("video.media", "video.media.info.json"),
          "--proxy",
          "http://four@127.0.0.1:4"
        ]
      ];
      const output = yield* printedInServer(COMPARE, runs);
      assert.deepStrictEqual(JSON.parse(output), {
        parsed: 2,
        differ: [],
        proxies: runs.map((argv) => argv[argv.indexOf("--proxy", base.length) + 1]),
        cookies: ["/runs/one/cookies.inspection.txt", "/runs/two/cookies.inspection.txt", null, null]
      });
    })
  );
});

describe("The fork server", () => {
  it.live(
    "reaches the proxy by its Unix socket, whatever a connection sets of TCP, and others as before",
    () =>
      Effect.gen(function* () {
        const reached = yield* runPython({ program: ["-c", REACHED] });
        assert.deepStrictEqual(JSON.parse(reached), ["AF_UNIX", "AF_INET"]);
      })
  );

  it.live("looks for a slow page ever more rarely, and finds it within a fiftieth of the wait", () =>
    Effect.gen(function* () {
      const [quick, slow] = JSON.parse(yield* printedInServer(LOOK_FOR_PAGES, [0.2, 20]));
      assert.isAtMost(quick.found, 0.206);
      assert.isAtMost(slow.found, 20 * 1.021);
      assert.isBelow(slow.looks, 300);
    })
  );

  it.live("uses no private member of yt-dlp that is not listed, and lists none that it does not use", () =>
    Effect.gen(function* () {
      const printed = yield* runPython({ program: ["-c", USED] });
      assert.deepStrictEqual(JSON.parse(printed), { unlisted: [], unused: [] });
    })
  );
});
