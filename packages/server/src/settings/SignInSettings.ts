/** Settings for signing in to the web app besides the operator's one-time links. Tests: Config.test.ts, SettingError.test.ts. */
import { setting } from "./SettingRow.ts";
import { addressBlocks, anyText, headerName, issuerUrl, oneOf, token } from "./SettingValue.ts";

export const SIGN_IN_SETTINGS = {
  /** In lower case. */
  signInHeader: setting({
    name: "WINNOW_SIGN_IN_HEADER",
    kind: headerName,
    expected: "the name of a header, such as x-forwarded-email",
    default: null,
    meaning:
      "header in which [your proxy](../operations.md#signing-in) names the signed-in person; needs `WINNOW_TRUSTED_PROXIES`"
  }),
  trustedProxies: setting({
    name: "WINNOW_TRUSTED_PROXIES",
    kind: addressBlocks,
    expected: "a comma-separated list of addresses or CIDR blocks, such as 10.0.0.0/8",
    default: [],
    meaning: "addresses or CIDR blocks of the proxy, comma-separated; the header is refused from any other"
  }),
  /** Unchanged, because an issuer's identifier may end in a slash. */
  oidcIssuer: setting({
    name: "WINNOW_OIDC_ISSUER",
    kind: issuerUrl,
    expected: "the https URL of an OpenID Connect issuer (http only on this machine)",
    default: null,
    meaning:
      "[OpenID Connect](../operations.md#signing-in) issuer, exactly as it names itself; needs the npm package `openid-client`"
  }),
  oidcClientId: setting({
    name: "WINNOW_OIDC_CLIENT_ID",
    kind: anyText,
    expected: "the client id of this server at the issuer",
    default: null,
    meaning: "client id of this server at the issuer; required with an issuer"
  }),
  oidcClientSecret: setting({
    name: "WINNOW_OIDC_CLIENT_SECRET",
    kind: token,
    expected: "the secret of that client",
    default: null,
    meaning: "secret of that client; a public client has none",
    secret: true
  }),
  signUp: setting({
    name: "WINNOW_SIGN_UP",
    ...oneOf("closed", "open"),
    default: "closed",
    meaning:
      "people who sign in without being a member: `closed` refuses them, `open` gives each a new account",
    engine: (signUp) => ({ isSignUpOpen: signUp === "open" })
  })
};
