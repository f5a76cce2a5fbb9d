/**
 * Meanings of messages of yt-dlp, gallery-dl and platforms. Messages are only matched, never passed on: they
 * contain addresses, paths and advice about options.
 */
import { any, type MessagePattern } from "./translatedMessages.ts";

/**
 * Advice that extractors append for command-line users. Removed before matching, because it mentions cookies,
 * log-ins and addresses; its presence counts (see {@link LOGIN_ADVICE}).
 */
export const ADVICE =
  /(?:[.;,] ?|\s)?(?:Use --(?:cookies|username|list-formats|video-password)|See\s+https?:|please report this issue|Confirm you are on the latest|You might want to (?:try|use) (?:a )?(?:VPN|proxy)).*$/isu;

/** Appended by extractors that know an account would help: the only reliable sign of a required log-in. */
export const LOGIN_ADVICE =
  /Use --cookies(?:-from-browser)?\b|Use --username\b|--cookies for the authentication|for how to manually pass cookies/iu;

/** Python errors inside an extractor, if they are the only cause given. */
export const CRASH =
  /An extractor error has occurred|\(caused by (?:Key|Attribute|Type|Index|Value|Name|Assertion|ZeroDivision|Unicode\w*|Recursion|NotImplemented|StopIteration)\w*(?:Error)?\b|^Traceback \(most recent|^'?\w+'? object (?:is not|has no|does not|cannot)\b|\bindex out of range$|^could not find XML (?:element|attribute)/iu;

/** An extractor failed to parse a page; yt-dlp's `expected` shows whether it anticipated that. */
export const LOST =
  /^(?!.*\bwithout (?:an? )?(?:access token|account|log-?in|subscription)\b)(?:unable to|failed to|could(?: not|n't)|cannot|can't|did not) (?:extract|parse|find|get|obtain|identify|recogni[sz]e|decode|decrypt|construct)(?! any (?:player response|videos?\b|media\b|audio\b))|^(?!.*\b(?:video|tweet|post|content|media|page|channel|user|episode|show|stream|song|track|album|program(?:me)?|article|clip|playlist|gallery|event|movie|film|series|room|resource|broadcast|story|podcast|recording|file|item|profile|account|lesson|course|lecture)s? (?:was |were |is )?not found)(?!.*\bnot found\b.{0,20}\b(?:on|at) (?:the )?(?:server|site)).*\bnot found\b/iu;

/**
 * A piece of a page or API that only an extractor requests: if it is missing, nothing is known about the content.
 */
export const LOST_PIECE =
  /(?:could(?: not|n't)|can(?:not|'t| not)|unable to|failed to) (?:find|get|extract|locate|determine|parse|obtain|match)\b(?! any)[^.;,]{0,40}\b(?:ur[li]|\w*id|key|token|json|i?frame|js|javascript|script|config\w*|player|\w*data|hash|signature|regex|parameters|endpoint)s?(?: for [^.;,]{1,30}| (?:in|on|from) [^.;,]{1,30})?[.!]?$|\b(?:ur[li]|key|token|json|\w*data|config|js|script)s? (?:was )?not found(?: in [^.;,]{1,30})?[.!]?$/iu;

/**
 * Tokens that extractors create themselves. Such a message means a required log-in only if the extractor expected the
 * error.
 */
export const LOST_TOKEN =
  /\b(?:no|missing|invalid|did not (?:get|provide|return))\b.{0,40}\btokens?\b|\bfetched token\b/iu;

/** Always conclusive: bot detection, and our own limits. */
export const FIRST: ReadonlyArray<MessagePattern> = [
  [
    any(
      String.raw`\bnot a (?:ro)?bot\b|anti-?bot|bot (?:check|detection|protection)|captcha|turnstile|ddos-guard|cloudflare|incapsula|imperva|perimeterx|datadome|distil|\bakamai\b.{0,20}\b(?:block|den)|error 10[012]\d\b|your support id is`,
      String.raw`challenge|are (?:you )?human|automated (?:request|quer|traffic|access|behaviou?r)|(?:might|may) be automated|automation tools|unusual (?:traffic|activity|location)|suspicious`,
      String.raw`(?:blocked|rejected|denied|refused) by (?:the )?server|(?:tls )?fingerprint|impersonat|data ?cent(?:er|re) ip`,
      String.raw`(?:verify|confirm|prove)\b.{0,20}\b(?:human|a (?:real )?person)|just a moment|checking your browser|about your browser made us|visitor system|drag the (?:slider|puzzle)|complete the puzzle|slide to (?:verify|unlock)|verify to continue|our users from spam|feedback_required|enable (?:js\b|javascript|cookies)|javascript (?:is |and cookies are )?(?:required|disabled)|security (?:check|verification)|request (?:was |has been )?(?:denied|blocked)\b`,
      String.raw`\bip\b.{0,30}\b(?:flagged|banned|blacklist|block(?:ed|list))|requests? from (?:your|this) (?:network|ip|address|server|host)|(?:appears? to be|you(?:'| a)re|detected) (?:using )?(?:a |an )?(?:vpn|proxy)|(?:vpn|prox(?:y|ies)|hosting)\b.{0,20}\b(?:detected|(?:not|n't) (?:allowed|permitted))|(?:disable|turn off) your (?:vpn|proxy)`,
      String.raw`\bip\b(?: address)?(?: \([^)]*\))? (?:is|was|has been|may be|might be|is likely)(?: \w+)? ?(?:blocked|banned|unable|blacklisted|not allowed)`,
      String.raw`(?:block|bann?)(?:ed|ing) (?:your|this) (?:ip|address|network)`,
      String.raw`guest token|unexpected response from webpage|\bfresh cookies|cookies \(not necessarily`,
      String.raw`page needs to be reloaded|(?:not|n't) available on this (?:app|device)|watch on the latest version|player responses are invalid`,
      String.raw`temporarily blocked\b|you(?:'ve| have) been blocked\b(?! (?:by|from) (?:this|the|that) (?:user|account|author|owner|channel|community))|site connection is secure|\bpo[ _]token|only images are available|empty media response|precondition failed|network (?:security|policy)|checkpoint|redirect to home page`
    ),
    "bot_blocked"
  ],
  [/\bdrm\b|widevine|fairplay|playready/iu, "drm"],
  [/pycryptodome|phantomjs|is not installed|(?:please|to) install\b|installing the required/iu, "fault"],
  [
    /(?:does not|doesn't) (?:have|contain) (?:an? |any )?(?:\w+ )?(?:videos?|media|tracks?|audio)\b/iu,
    "no_media"
  ],
  [
    any(
      String.raw`too many requests|rate[- ]?limit|exceeded the (?:rate|limit|number)|(?:play|request|quota|download|transfer|bandwidth|traffic|view|hourly|daily) limit|too many (?:users|people|viewers|visitors|downloads|connections|times)\b|too many times|can(?:'t|not) (?:view or )?download .{0,30}at this time|(?:reached|exceeded|over|hit) (?:your|the|its|a) (?:\w+ ){0,2}(?:quota|limit|cap)\b|requests? (?:are |is )?too (?:fast|quick|often|frequent)|too (?:quickly|frequently|often)`,
      String.raw`quota exceeded|slow down|throttl|wait (?:a|some|\d+) (?:few )?(?:seconds|minutes|hours)`
    ),
    "rate_limited"
  ],
  [
    any(
      String.raw`looks truncated|incomplete \w+ id\b|forget to quote|unviewable|not a valid url|invalid url|without (?:a )?video id|missing (?:a|an|the) \w+ id|url is missing|blob url|(?<!log-?in.{0,60})(?:is|are)(?: currently| still)?(?:n't | not | no longer | un)(?:currently |yet )?supported`,
      String.raw`\bnot an? (?:(?:media|audio|video|image) )?file\b|doesn't make any sense|unsupported (?:\w+ )?type|only \w+ extraction is supported|does not have an? \S+ tab|\bno \w+ ?id in url|invalid (?:\w+ ){0,3}(?:redirect )?url\b`,
      String.raw`\bdo(?:es)?(?:n't| not) support\b(?!.{0,30}\b(?:region|country))|\bunknown url\b(?! type)|unable to handle url|not point to an?\b|unsupported \w+ pattern`,
      String.raw`\binvalid [\w-]+\.? (?:valid|supported|available) [\w-]+ (?:are|is)\b|\b(?:url|link) is (?:for|of) an? .{1,40}\binstead of\b|copy the (?:link|url)|from the (?:web ?page|site) where it is embedded`
    ),
    "not_extractable"
  ],
  [/file:\/\/|unknown url type|url scheme|unsupported scheme/iu, "blocked_address"],
  // Formats that need a separate program, which yt-dlp may not start here.
  [/\bffmpeg exited with code\b/iu, "no_media"],
  [/file too large|errno 27|larger than max-filesize|file is larger/iu, "too_large"]
];

/**
 * The platform's statement about the content. First match wins, because almost everything is also "unavailable".
 */
export const CONTENT: ReadonlyArray<MessagePattern> = [
  [
    /copy[- ]protected|(?:stream|video|media|content|file) is (?:encrypted|protected)(?! by (?:a )?pass)/iu,
    "drm"
  ],
  [
    any(
      String.raw`(?:account|user|channel|profile|uploader|author|owner|broadcaster|creator|streamer|community|subreddit)\b.{0,60}\b(?:terminated|suspended|deleted|deactivated|banned|blocked(?! your?\b)|removed|closed)`,
      String.raw`suspended (?:account|user)|(?:closed|deleted|deactivated) (?:their|the|his|her|its)\b.{0,20}\baccount|^suspended\b|reason given: banned`,
      String.raw`(?:could(?:n't| not)|can(?:'t|not)) find (?:this|that) \w+|\bno (?:status|post|tweet|user|account|clip|record)s? found (?:with|for|by|under)\b|(?:content|video|media) (?:was |has been |is )?rejected|no longer (?:exists?|here|with us)\b|nothing here\b|(?:something|page|it) is(?:n't| not) here\b|^(?!log-?in).{0,40}\b(?:video|post|clip|track|episode) (?:was )?not found\W*$|removed by|(?:video|post|clip|track) (?:was|is|has been) disabled by|been (?:removed|deleted|taken down)|(?:removed|deleted) or (?:geo|region)|offline because of copyright|(?:was|were) (?:removed|deleted)|content deleted|violat`
    ),
    "removed"
  ],
  [
    any(
      String.raw`geo[-_ ]?(?:location|block|restrict|graph|fence|lock)|(?:\b|_)geo\b|blacked out|withheld|local laws?\b|legal demand|by decision of the \w+ government`,
      String.raw`\bcensor|network filter|filtering software|blocked by (?:your|the) (?:isp|provider|government|administrator of)`,
      String.raw`(?:your|this|that|certain|some|other|the following) (?:country|countries|region|regions|location|territor\w+|area|areas)\b`,
      String.raw`where you(?:'re| are)\b|outside (?:of )?(?:the|your|our|this) (?:region|country|area|territory)\b|\brights (?:restriction|issue)s?\b|\bblackouts?\b|country due to|licens(?:e|ing) restrict|restricted to (?:viewers|users|people) in|所在地区`,
      String.raw`this (?:video|content|stream) is (?:region|country)[- ]`
    ),
    "geo_restricted"
  ],
  [
    // Case-sensitive, because capitals indicate a country's name.
    /licensed to users in|(?:[Aa]vailable|accessible|viewable|watchable|viewed|watched|streamed|works) (?:only )?(?:(?:in|from|within):? (?:the )?(?!Restricted)[A-Z][a-z]{3,}\b|(?:in|from|within|to) (?:the )?(?:U\.?[KS]\.?A?\b|EU\b|United))|(?:viewers|users|people|audiences?|visitors|residents|customers|subscribers|listeners) (?:in|of|from) (?:the )?(?:U\.?[KS]|EU\b|[A-Z][a-z]{3,})|[Rr]estricted to [A-Z]{2}(?![A-Za-z])|outside (?:of )?(?:the )?(?:U\.?[KS]\b|EU\b|United|[A-Z][a-z]{3,})/u,
    "geo_restricted"
  ],
  [
    any(
      String.raw`(?:confirm|verify|verification of) (?:your|that your|their) (?:age|birth)|\bage[-_ ]?(?:restrict|verif|gate|limit|check|protect|confirm|appropriat)`,
      String.raw`inappropriate|offensive|sensitive (?:content|media|material)|\bnsfw\b|adult (?:content|verif|only|material)|explicit content|mature (?:content|audience)|(?:rated|marked|flagged|labell?ed|classified) (?:as )?(?:mature|explicit|adult|18)|family filter|viewer discretion`,
      String.raw`(?:not be )?comfortable for some|(?:at least |over |older than |under )\d\d|\b(?:1[68]|21)(?:\+| (?:years|or over))|\br-?18\b|adults only|years (?:of age|old)|underage|minors|\b(?:fsk|pegi|usk)\b|parental|graphic content`,
      String.raw`available (?:only )?(?:between \d|after \d\d[:.]|from \d\d[:.])`
    ),
    "age_restricted"
  ],
  [
    any(
      String.raw`\bprivate\b|permission to (?:view|see|access|watch)|not authori[sz]ed|unauthori[sz]ed|protected (?:tweet|post|account)`,
      String.raw`restrict\w* who|only (?:the|its) (?:owner|author|uploader|creator) .{0,20}can (?:watch|view|see|access)|followers?[- ]only|(?:only|approved|to) (?:\w+ )?followers\b|be (?:a )?friends?\b|invit(?:e|ation)[- ]only|not (?:been )?(?:shared|made public)|(?:is|are)(?: not|n't) (?:a )?public|sharing .{0,30}\b(?:turned|switched) off|only (?:visible|viewable|accessible) (?:to|by)(?! (?:logged|signed|registered|members|subscribers|patrons|premium))|hidden by|^restricted (?:video|content|post)\b`,
      String.raw`limits? who can|follow this account|access (?:is |was )?(?:denied|restricted)|may be restricted|not (?:been )?made available to any|restricted mode|needs? (?:permission|access\b)|insufficient (?:privileges|permissions|rights)|no longer shared|(?:certain|specific|allowed|authori[sz]ed|other|this) domains?\b|domains? (?:set|allowed|chosen|specified)|member of (?:this|the) (?:\w+ )?(?:group|workspace|organi[sz]ation|team|server|community)|restricted by the (?:owner|uploader)`,
      String.raw`playback on other (?:websites|sites)|embedd?(?:ing|ed)? (?:is |has been |was )?(?:disabled|not allowed|forbidden)|only be (?:embedded|played) on|administrator|friends only|blocked (?:you\b|your account)|only (?:visible|available) to friends|privacy settings|embed-only|given you permission|(?:tweets|posts) are protected|visible to an audience|\bforbidden\b|is restricted\.?$`
    ),
    "private"
  ],
  [
    any(
      String.raw`sign(?:ed)?[- ]?(?:in|up)\b|log(?:ged|ging)?[- ]?(?:in|into)\b|authenticat|credentials|registered|registration|cookies? (?:is |are )?(?:needed|required)`,
      String.raw`members?(?:hip)?\b|subscri(?!ptable)|premium\b|patron|supporter|paying|customers\b|unlock|donat|donor|sponsor|backers?\b|pledge|\btiers?\b|entitle|upgrade (?:your|to|required)|\benrol|support this (?:plan|creator|artist)|login_required|free trial|purchas|payment|\bpaid\b|(?:do not|don't) own\b|licen[cs]e key|\bpay\b|\brent\b|\bbuy\b|credits? required|ticket`,
      String.raw`password|passcode|e-?mail address|\botp\b|username|account|\blocked\b|gold_only|\bvip\b|not free\b|tv providers|your cookies|(?:expired|invalid) token|tokens? (?:has|have|is|are)\b.{0,15}\b(?:expired|invalid)|authori[sz]ation (?:is |was )?lost|required cookies|needs? cookies|\blogge[sd] in|(?:invalid|missing|expired) or \w+ tokens?\b|token' required|(?:specify|provide|pass|supply) (?:a |the |your )?cookies?\b|manifest_restricted|大会员|quarantined (?:subreddit|community)|reason given: quarantine|access token|do(?:es)? not have access|don't have access`
    ),
    "login_required"
  ],
  [
    any(
      String.raw`premieres?\b|(?:live|upcoming) (?:event|broadcast)|(?:not|n't) (?:currently |yet )?(?:live|streaming|broadcasting|on air)\b|live (?:room|show|session)\b.{0,20}\b(?:closed|over|ended)|\boffline\b|(?:off|on)[- ]air|live ?stream(?!ing)(?! recording)|stream (?:has )?(?:not(?! found)|ended|is over)|no active streams?|(?:live|event|broadcast|space)\b.{0,15}\bended`,
      String.raw`(?:not|n't) (?:yet )?(?:started|begun|aired|premiered)|available yet|release date|not yet (?:been )?(?:available|released|published|broadcast)|scheduled (?:for|to)|will (?:begin|start|be available|premiere|air)|starts? (?:in|at) \d|coming soon`,
      String.raw`(?:is|being|still) (?:being )?(?:process|upload|encod|transcod|convert|prepar)(?:ed|ing)|upload (?:is )?(?:still )?in progress|not (?:yet )?(?:been )?(?:ready|processed|transcoded)\b|embargo|processing (?:this|the|your)? ?video\b|processing this|check back|ended but not|replay is disabled|live was ended`
    ),
    "live"
  ]
];

/** The rest: no content, not found, or unreachable. */
export const REST: ReadonlyArray<MessagePattern> = [
  [
    any(
      String.raw`unsupported url|\bno (?!such|longer)(?:[a-z/]+ )?(?:videos?|media|audio|formats?|sources?|streams?|tracks?|songs?|chapters?|episodes?|downloads?|images?|photos?|embed)\b|find (?:an? |any |the )?video (?:element|player|tag|in|on)\b|find (?:any|suitable) (?:videos?|media|audio|formats)\b|not a video|(?:doesn't|does not|didn't) (?:contain|have) any|plain image|embed providers|without (?:a |any )?(?:video|audio|media|images?)\b|only (?:contains?|has|consists? of|includes?) (?:\w+ )?(?:images?|text|photos?|links?)|is (?:only )?(?:a|an) (?:\w+ )?(?:image|photo|picture|article|gallery|text|link|playlist|channel|document)\b|(?:text|image|photo|link)(?:-only)? post\b|contains only (?:text|images?|photos?|links?)\b|leads to an? (?:\w+ )?(?:image|photo|gallery|article)\b`,
      String.raw`requested format is not available`
    ),
    "no_media"
  ],
  // The egress guard's answer to a connection that failed.
  [/tunnel connection failed/iu, "unreachable"],
  [
    any(
      String.raw`service (?:is )?(?:temporarily )?(?:unavailable|overloaded)|internal (?:server )?error|server error|error on (?:the )?server|having (?:a little )?trouble|bad gateway|gateway time|maintenance|overloaded|temporary (?:error|failure(?! in name)|problem)|backend (?:fetch|error)|over capacity|bandwidth|unable to handle the request|upstream connect|something went wrong|technical (?:difficult|problem|error)`
    ),
    "timeout"
  ],
  // A generic phrase, with nothing more specific before it.
  [/try again later|try again in (?:a|some|\d+)/iu, "rate_limited"],
  [/timed? ?-?out|timing out/iu, "timeout"],
  [
    /connection .{0,30}\b(?:refused|reset|aborted|closed|lost|dropped)|(?:to|not|n't) resolve (?:host|proxy|name|')|transporterror|proxyerror|incompleteread|remote end closed|getaddrinfo|network error|name or service|name resolution|no route|max retries|connectionpool|(?:unable|failed) to (?:connect|establish)|(?:cannot|can't|could ?n[o']t) connect|network is (?:down|unreachable)|handshake|unexpected_eof|disconnected|certificate verif|ssl:|ssl_error|curl: \((?:[567]|16|35|5[256]|60|92)\)/iu,
    "unreachable"
  ],
  [
    any(
      String.raw`removed|deleted|terminated|taken down|take-?down|unpublished|withdrawn|moderat(?:ed|ors|ion)|dmca|infring|discontinued|retired|no longer (?:available|exist|accessible|online)|(?:does|do|did)(?:n't| not) exist|no such|not (?:be )?found|could(?:n't| not) find|unavailable|(?:not|isn't|n't) (?:currently )?available|available anymore|expired`,
      String.raw`copyright|right ?s?holder|complaint|blocked it|not (?:archived|indexed|listed)|\bunknown (?:media |channel |video |event |user |post |content )?id\b|\bno \w+ .*\bexists\b|neither\b.*\bavailable|no entry in|something wrong (?:with|in) the video|been disabled|quarantine|may be broken|empty json|status code|invalid (?:video |media |post |item )?id\b|reported|suspended|\bgone\b|under review|(?:in|not )accessible|unplayable|can(?:'t|not) be (?:accessed|played)|不存在|不可见|啥都木有`
    ),
    "removed"
  ],
  [
    /failed to extract any player response|incomplete data|error (?:has )?occurred while (?:receiving|loading|fetching)|error while getting|got error|giving up after|bytes, expected|connection broken|broken pipe|unable to download/iu,
    "unreachable"
  ]
];
