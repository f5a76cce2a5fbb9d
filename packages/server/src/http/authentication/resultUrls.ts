/** URLs of tables of results that work without a key. */
import type { SignedResults } from "@winnow/core/engine/extractions/ResultLinks";

/** Signed are all other parameters, in the order of their names. */
const PROOF: ReadonlyArray<string> = ["account", "apiKey", "member", "signOuts", "expires", "signature"];

const sorted = (query: Iterable<readonly [string, string]>): SignedResults["query"] =>
  [...query].filter(([name]) => !PROOF.includes(name)).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** The filters and the form of a table; those without a value are left out. */
export const signedQueryOf = (
  parameters: Readonly<Record<string, string | undefined>>
): SignedResults["query"] =>
  sorted(Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** `publicUrl` has no trailing slash. */
export const resultLinkUrl = (
  { accountId, apiKeyId, memberId, signOuts, query, expiresAtSeconds, signature }: SignedResults,
  publicUrl: string
): string => {
  const proof = {
    account: accountId,
    ...(apiKeyId === null ? {} : { apiKey: apiKeyId }),
    ...(memberId === null ? {} : { member: memberId }),
    ...(signOuts === null ? {} : { signOuts: String(signOuts) }),
    expires: String(expiresAtSeconds),
    signature
  };
  const all = new URLSearchParams({ ...Object.fromEntries(query), ...proof });
  return `${publicUrl}/v1/results?${all}`;
};

/** Null for a request without a link. `url` is the original path and query. */
export const resultLinkIn = (url: string): SignedResults | null => {
  const all = new URLSearchParams(/\?([^#]*)/u.exec(url)?.[1] ?? "");
  const [accountId, apiKeyId = null, memberId = null, signOuts, expires, signature] = PROOF.map((name) =>
    all.get(name)
  );
  if (!accountId || !expires || !signature) return null;
  return {
    accountId,
    apiKeyId,
    memberId,
    signOuts: signOuts ? Number(signOuts) : null,
    query: sorted(all),
    expiresAtSeconds: Number(expires),
    signature
  };
};
