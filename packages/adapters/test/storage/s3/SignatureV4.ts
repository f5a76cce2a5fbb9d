/**
 * Checks AWS Signature Version 4 as a server does. Written from the documentation, without other code:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/gu,
    (char) => `%${char.codePointAt(0)?.toString(16).toUpperCase()}`
  );

const canonicalQuery = (search: URLSearchParams): string =>
  [...search]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join("&");

const canonicalRequest = (request: IncomingMessage, signedHeaders: string): string => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const headers = signedHeaders.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const path = pathname.split("/").map((part) => encoded(decodeURIComponent(part)));
  return [
    request.method,
    path.join("/"),
    canonicalQuery(searchParams),
    headers.join(""),
    signedHeaders,
    request.headers["x-amz-content-sha256"]
  ].join("\n");
};

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/(?<scope>[^,]+), SignedHeaders=(?<signed>[^,]+), Signature=(?<signature>\S+)$/u;

/** Whether the request was signed with this secret, and the signature covers host, date and the hash of the body. */
export const isSignedWith = (secret: string, request: IncomingMessage): boolean => {
  const {
    scope = "",
    signed = "",
    signature
  } = AUTHORIZATION.exec(request.headers.authorization ?? "")?.groups ?? {};
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signed.split(";").includes(name))) {
    return false;
  }
  const hash = createHash("sha256").update(canonicalRequest(request, signed)).digest("hex");
  const text = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope, hash].join("\n");
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, text).toString("hex") === signature;
};
