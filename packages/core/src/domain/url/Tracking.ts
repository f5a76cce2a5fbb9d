/** Parameters of a URL that record how a reader came to it. Tests: SourceUrl.test.ts. */

/** Parameters that identify who shared or advertised a link, not what it shows. */
const TRACKING = new RegExp(
  `^(?:${[
    String.raw`utm_\w+|mtm_\w+|pk_(?:campaign|kwd|source|medium|content|cid)|hsa_\w+|itm_\w+|wt[._]z?mc\w*|xtor`,
    String.raw`at_(?:medium|campaign(?:_type)?|format|link_\w+|ptr_name|bbc_team|recipient_\w+)|s_cid|spm|_openstat`,
    String.raw`mc_[ce]id|_g[al]|_hsenc|_hsmi|__hs(?:tc|sc|fp)|hsctatracking|mkt_tok|vero_id|oly_(?:anon|enc)_id`,
    String.raw`igsh(?:id)?|fb_(?:ref|source|action_\w+)|mibextid|sfnsn|__twitter_impression|_branch_\w+|guccounter`,
    String.raw`guce_referrer(?:_\w+)?|ml_subscriber(?:_hash)?|srsltid|gad_(?:source|campaignid)|elqtrack(?:id)?`,
    "fbclid|gclid|gclsrc|gbraid|wbraid|dclid|msclkid|yclid|ysclid|twclid|ttclid|li_fat_id|rdt_cid|sccid|irclickid"
  ].join("|")})(?:=|$)`,
  "iu"
);

/** Names that have another meaning on other hosts. */
const HOST_TRACKING: ReadonlyArray<readonly [host: RegExp, parameter: RegExp]> = [
  [/(?:^|\.)(?:youtube\.com|youtu\.be|spotify\.com|soundcloud\.com)$/u, /^(?:si|feature|pp)(?:=|$)/u],
  [/(?:^|\.)tiktok\.com$/u, /^(?:is_from_webapp|sender_device|_r|_t)(?:=|$)/u]
];

/** Without tracking parameters; the others keep their order and spelling. */
export const queryWithoutTracking = (url: URL): string => {
  const own = HOST_TRACKING.filter(([host]) => host.test(url.hostname)).map(([, parameter]) => parameter);
  const parameters = url.search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && ![TRACKING, ...own].some((tracks) => tracks.test(parameter)));
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
};

/** The same URL without tracking parameters; unchanged if there are none. */
export const withoutTracking = (url: URL): URL => {
  const search = queryWithoutTracking(url);
  if (search === url.search || (search === "" && url.search === "")) return url;
  const plain = new URL(url);
  plain.search = search;
  return plain;
};
