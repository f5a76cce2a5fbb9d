import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { troubleText } from "@winnow/isolation/runtime/Trouble";
import * as Arbitrary from "effect/Arbitrary";
import * as Result from "effect/Result";
import {
  cookiesFor,
  JAR_MAX_BYTES,
  jarExpiresAtMs,
  jarProblem,
  jarText,
  readJar
} from "../../../src/sources/ways/CookieJar.ts";
import { examineJar } from "../../../src/sources/ways/CookieJars.ts";
import { intBetween, oneOf } from "@winnow/core/test/domain/Arbitraries";
import { DAY_MS } from "@winnow/core/domain/Durations";

const NOW_MS = 1_800_000_000_000;

const cookie = (domain: string, name = "session", expiresAtMs: number | null = null): string =>
  [domain, "TRUE", "/", "TRUE", expiresAtMs === null ? "0" : String(expiresAtMs / 1_000), name, "v"].join(
    "\t"
  );

const jarOf = (...lines: ReadonlyArray<string>) =>
  Result.getOrThrow(readJar(["# Netscape HTTP Cookie File", "", ...lines].join("\n")));

describe("a cookie jar", () => {
  it("is read with cookies that scripts cannot see, without comments and broken lines", () => {
    const jar = jarOf(
      `#HttpOnly_${cookie(".youtube.com", "SID")}`,
      "# a comment",
      "broken",
      cookie("vimeo.com")
    );
    assert.deepStrictEqual(
      jar.map(({ domain, name }) => [domain, name]),
      [
        ["youtube.com", "SID"],
        ["vimeo.com", "session"]
      ]
    );
  });

  it("has one cookie a line, however its lines end", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const jar = Result.getOrThrow(readJar([cookie("a.example"), cookie("b.example")].join(end)));
      assert.deepStrictEqual(
        jar.map(({ domain }) => domain),
        ["a.example", "b.example"]
      );
    }
  });

  it.each([
    ["JSON of an extension", '[{"domain": ".youtube.com", "name": "SID", "value": "s3cret"}]', "is JSON"],
    ["JSON of a browser's state", '{"cookies": [{"name": "SID", "value": "s3cret"}]}', "is JSON"],
    ["a header", "Cookie: SID=s3cret; HSID=x", "is a Cookie header"],
    ["a browser's database", "SQLite format 3\0 s3cret", "cookie database"],
    ["a table with spaces", ".youtube.com TRUE / TRUE 0 SID s3cret", "seven fields between tabs"]
  ])("of another format, as %s, is refused with the remedy", (_what, text, words) => {
    const why = troubleText(Result.getOrThrow(Result.flip(readJar(text))));
    assert.include(why, words);
    assert.include(why, "Netscape format (cookies.txt)");
    assert.notInclude(why, "s3cret");
  });

  const Hosts = Arbitrary.array(oneOf(["youtube.com", "www.youtube.com", "vimeo.com", "co.uk"]), {
    minLength: 1,
    maxLength: 3
  });
  const Domains = oneOf([
    ".youtube.com",
    "youtube.com",
    ".music.YouTube.com",
    "notyoutube.com",
    ".com",
    "com",
    "",
    "youtube.com.evil.example",
    ".vimeo.com",
    ".bbc.co.uk"
  ]);
  const Lines = Arbitrary.array(
    Arbitrary.all({ domain: Domains, name: oneOf(["a", "b"]), isHttpOnly: intBetween(0, 1) }),
    { maxLength: 12 }
  );

  it.prop(
    "gives its cookies to its hosts and to no other",
    { hosts: Hosts, lines: Lines },
    ({ hosts, lines }) => {
      const texts = lines.map(
        ({ domain, isHttpOnly, name }) => `${isHttpOnly === 1 ? "#HttpOnly_" : ""}${cookie(domain, name)}`
      );
      const written = jarText(cookiesFor(jarOf(...texts), hosts))
        .split("\n")
        .slice(2, -1);
      for (const line of written) {
        const domain = (line.replace("#HttpOnly_", "").split("\t")[0] ?? "")
          .replace(/^\./u, "")
          .toLowerCase();
        assert.isTrue(
          hosts.some((host) => domain === host || domain.endsWith(`.${host}`)),
          line
        );
        assert.include(texts, line);
      }
      const kept = texts.filter((text) => written.includes(text));
      assert.deepStrictEqual(written, kept, "in their order, and nothing else is lost");
    }
  );
});

describe("the expiry of a jar", () => {
  it("is that of its login, not of cookies that the site renews", () => {
    const jar = jarOf(
      cookie("a.example", "renewed", NOW_MS + DAY_MS),
      cookie("a.example", "login", NOW_MS + 180 * DAY_MS),
      cookie("a.example", "preferences", NOW_MS + 700 * DAY_MS),
      cookie("a.example", "session")
    );
    assert.strictEqual(jarExpiresAtMs(jar, NOW_MS), NOW_MS + 180 * DAY_MS);
    assert.strictEqual(jarExpiresAtMs(jar, NOW_MS + 175 * DAY_MS), NOW_MS + 700 * DAY_MS);
    assert.isNull(jarExpiresAtMs(jarOf(cookie("a.example")), NOW_MS));
  });

  it.each([
    [180, null],
    [8, null],
    [6.5, "expires within 7 days: export it again"],
    [0.5, "expires within 1 day: export it again"],
    [0, "has expired: export it again"],
    [-1, "has expired: export it again"]
  ])("in %d days is told as %j", (days, problem) => {
    const jar = jarOf(cookie("a.example", "login", NOW_MS + days * DAY_MS));
    const writtenAtMs = NOW_MS - 100 * DAY_MS;
    const trouble = jarProblem(jar, { hosts: null, writtenAtMs }, NOW_MS);
    assert.strictEqual(trouble === null ? null : troubleText(trouble), problem);
  });

  it("a jar without a cookie for its hosts is told as well", () => {
    const jar = jarOf(cookie("a.example"));
    const told = jarProblem(jar, { hosts: ["b.example"], writtenAtMs: NOW_MS }, NOW_MS);
    const problem = "has no cookies for the hosts of its route (b.example)";
    assert.deepStrictEqual(told, { problem, remedy: null });
  });
});

describe("a cookie file that cannot be used", () => {
  it("is told apart from what to do about it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "jar-"));
    try {
      const path = join(folder, "cookies.txt");
      const look = async () => (await examineJar({ path, hosts: null }, NOW_MS)).trouble;
      assert.deepStrictEqual(await look(), {
        problem: "cannot be read",
        remedy: "check that it exists and that the server may read it"
      });
      writeFileSync(path, "");
      truncateSync(path, JAR_MAX_BYTES + 1);
      assert.deepStrictEqual(await look(), {
        problem: `is larger than ${JAR_MAX_BYTES} bytes: it is no cookie file`,
        remedy: null
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
