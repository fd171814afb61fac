import { Literals } from "./literals.js";
import { each, endOf, type Rule, type Secret } from "./rule.js";

// Tokens that are known by their shape: a prefix that nothing else has, and enough random characters behind it.

const ALNUM = "[A-Za-z0-9]";
const WORD = "[A-Za-z0-9_-]";
const HEX = "[A-Fa-f0-9]";

/** Label, prefixes, and what has to follow. One class, repeated, wherever possible: such a tail cannot backtrack. */
const SHAPES: readonly (readonly [label: string, prefixes: string, tail: string])[] = [
  ["GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", `${ALNUM}{20,}`],
  ["GitHub token", "github_pat_", "[A-Za-z0-9_]{20,}"],
  [
    "GitLab token",
    "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas- glimt- GR1348941",
    "[A-Za-z0-9_.-]{16,}",
  ],
  ["Slack token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp- xwfp-", "[A-Za-z0-9.%-]{10,}"],
  ["AWS access key", "AKIA ASIA ABIA ACCA AROA AIDA AGPA ANPA", "[A-Z2-7]{16}(?![A-Za-z0-9])"],
  ["Google API key", "AIza", `${WORD}{30,}`],
  ["Google token", "ya29. GOCSPX- 1//0", "[A-Za-z0-9_.-]{20,}"],
  ["Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_", `${ALNUM}{10,}`],
  ["webhook secret", "whsec_", "[A-Za-z0-9+/=]{20,}"],
  ["Anthropic key", "sk-ant-", `${WORD}{16,}`],
  ["API key", "sk-proj- sk-svcacct- sk-admin- sk-or-", `${WORD}{16,}`],
  // Names such as sk-folding-cube-container have no digit.
  ["API key", "sk-", `(?=[A-Za-z_-]{0,60}\\d)${WORD}{20,}`],
  ["npm token", "npm_", `${ALNUM}{30,}`],
  ["PyPI token", "pypi-", `${WORD}{30,}`],
  ["SendGrid key", "SG.", `${WORD}{16,}\\.${WORD}{16,}`],
  ["Twilio key", [..."0123456789abcdef"].map((digit) => `SK${digit}`).join(" "), "[0-9a-f]{31}(?![A-Za-z0-9])"],
  ["Mailgun key", "key-", "[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["Shopify token", "shpat_ shpca_ shppa_ shpss_", `${HEX}{32,}`],
  ["DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", `${HEX}{32,}`],
  ["Hugging Face token", "hf_ api_org_", `${ALNUM}{30,}`],
  [
    "API key",
    "gsk_ r8_ xai- pplx- csk- nvapi- tgp_v1_ jina_ lsv2_pt_ lsv2_sk_ pcsk_ tvly-",
    `(?=[A-Za-z_-]{0,60}\\d)${WORD}{24,}`,
  ],
  ["Databricks token", "dapi", "[a-f0-9]{32}(?:-\\d)?(?![A-Za-z0-9])"],
  ["Vault token", "hvs. hvb. hvr.", `${WORD}{20,}`],
  ["Doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "[A-Za-z0-9_.-]{20,}"],
  ["Linear key", "lin_api_ lin_oauth_", `${ALNUM}{20,}`],
  ["Notion token", "ntn_ secret_", `${ALNUM}{40,}`],
  ["Figma token", "figd_ figo_", `${WORD}{20,}`],
  ["Atlassian token", "ATATT3x ATCTT3x ATBB", `${WORD}{20,}=?${HEX}*`],
  ["Postman key", "PMAK-", `${HEX}{20,}-${HEX}{20,}`],
  ["Grafana token", "glc_ glsa_ eyJrIjoi", "[A-Za-z0-9_+/=]{20,}"],
  ["New Relic key", "NRAK- NRII- NRJS-", `${WORD}{16,}`],
  ["Sentry token", "sntrys_ sntryu_", "[A-Za-z0-9_+/=]{20,}"],
  ["Square token", "sq0atp- sq0csp- sq0idp- EAAA", `${WORD}{20,}`],
  ["PlanetScale token", "pscale_tkn_ pscale_pw_ pscale_oauth_", `${WORD}{20,}`],
  ["Supabase token", "sbp_ sb_secret_", `${WORD}{20,}`],
  ["Netlify token", "nfp_ nfc_", `${ALNUM}{30,}`],
  ["Fly token", "fm1_ fm2_ fm1r_ fo1_", "[A-Za-z0-9_+/=,-]{30,}"],
  ["Docker token", "dckr_pat_ dckr_oat_", `${WORD}{20,}`],
  ["CircleCI token", "CCIPAT_ CCIPRJ_", `${WORD}{20,}`],
  ["Tailscale key", "tskey-", `${WORD}{16,}`],
  ["age key", "AGE-SECRET-KEY-1", "[A-Z0-9]{20,}"],
  ["Pulumi token", "pul-", `${HEX}{40}(?![A-Za-z0-9])`],
  ["Heroku key", "HRKU-", `${WORD}{20,}`],
  ["RubyGems key", "rubygems_", `${HEX}{40,}`],
  ["NuGet key", "oy2", "[a-z0-9]{43}(?![A-Za-z0-9])"],
  ["1Password token", "ops_eyJ", `${WORD}{40,}`],
  ["Dynatrace token", "dt0c01.", "[A-Z0-9]{24}\\.[A-Z0-9]{64}"],
  ["Alibaba key", "LTAI", `${ALNUM}{16,30}(?![A-Za-z0-9])`],
  ["Brevo key", "xkeysib- xsmtpsib-", `${HEX}{40,}-${ALNUM}{10,}`],
  ["Sonar token", "squ_ sqp_ sqa_", `${HEX}{40}(?![A-Za-z0-9])`],
  ["Buildkite token", "bkua_ bkct_", `${ALNUM}{30,}`],
  ["Contentful token", "CFPAT-", `${WORD}{30,}`],
  ["Mapbox token", "sk.eyJ", "[A-Za-z0-9_.-]{20,}"],
  ["JWT", "eyJ", `${WORD}{5,}\\.${WORD}{5,}(?:\\.${WORD}*){0,3}`],
  ["webhook address", "hooks.slack.com/ discord.com/api/webhooks/ discordapp.com/api/webhooks/", "[A-Za-z0-9_/-]{20,}"],
  ["webhook address", "outlook.office.com/webhook/", "[A-Za-z0-9_/@-]{20,}"],
];

interface Shape {
  readonly prefix: string;
  readonly label: string;
  readonly tail: RegExp;
}

const PREFIXES = SHAPES.flatMap(([label, prefixes, tail]) =>
  prefixes.split(" ").map((prefix) => ({ label, prefix, tail })),
);

let made: Literals<Shape> | undefined;

/** Made with the first text that may have one: a hook that meets none does not wait for 100 patterns. */
function shapes(): Literals<Shape> {
  made ??= new Literals(
    PREFIXES.map(({ tail, ...shape }) => [shape.prefix, { ...shape, tail: new RegExp(tail, "y") }] as const),
  );
  return made;
}

/** A secret key of AWS has no prefix, but it stands beside its access key. */
const AWS_SECRET = /[\s,:;|"'\\]{1,6}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/y;

/** What belongs to the token even though its shape does not ask for it: no rest of one stays behind. */
const REST = /[A-Za-z0-9_=+~-]*/y;

/** The label of the token that begins here. */
export function shapeAt(text: string, at: number): string | undefined {
  return shapes().find(text.slice(Math.max(0, at - 1), at + 400), at === 0 ? 0 : 1, (start, shape) =>
    start === (at === 0 ? 0 : 1) ? tokenAt(text, at, shape)?.label : undefined,
  );
}

function tokenAt(text: string, start: number, { prefix, label, tail }: Shape): Secret | undefined {
  if (isInsideWord(text, start) || !text.startsWith(prefix, start)) return undefined;
  const end = endOf(tail, text, start + prefix.length);
  if (end < 0) return undefined;
  const beside = label === "AWS access key" ? endOf(AWS_SECRET, text, end) : -1;
  return { start, end: Math.max(beside, endOf(REST, text, end)), label };
}

/** A run of words and dashes may hold a prefix thousands of times: only its beginning is looked at. */
function isInsideWord(text: string, start: number): boolean {
  const code = text.charCodeAt(start - 1);
  const lower = code | 0x20;
  const isWord = (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d;
  // The line break of a text in JSON.
  return isWord && !(text[start - 2] === "\\" && (lower === 0x6e || lower === 0x72 || lower === 0x74));
}

export const TOKENS: Rule = {
  literals: PREFIXES.map(({ prefix }) => prefix),
  secrets: each((text, from) => shapes().find(text, from, (at, shape) => tokenAt(text, at, shape))),
};

/** Tokens whose middle says more than their beginning. */
interface Middle {
  readonly label: string;
  readonly literals: readonly string[];
  readonly middle: RegExp;
  /** At the end of what stands before the middle, so many characters at most. */
  readonly before: RegExp;
  readonly longest: number;
  readonly after: RegExp;
}

const MIDDLES: readonly Middle[] = [
  {
    label: "Telegram token",
    literals: [":AA"],
    middle: /:AA/g,
    before: /(?<![A-Za-z0-9])\d{8,12}$/,
    longest: 13,
    after: /[A-Za-z0-9_-]{30,}/y,
  },
  {
    label: "Azure secret",
    literals: [..."0123456789"].map((digit) => `${digit}Q~`),
    middle: /\dQ~/g,
    before: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_.-]{3}$/,
    longest: 4,
    after: /[A-Za-z0-9_~.-]{30,}/y,
  },
  {
    label: "Mailchimp key",
    literals: [..."123456789"].map((digit) => `-us${digit}`),
    middle: /-us/g,
    before: /(?<![A-Za-z0-9])[0-9a-f]{32}$/,
    longest: 33,
    after: /\d{1,2}(?![A-Za-z0-9])/y,
  },
  {
    label: "Terraform token",
    literals: [".atlasv1."],
    middle: /\.atlasv1\./g,
    before: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}$/,
    longest: 15,
    after: /[A-Za-z0-9_-]{30,}/y,
  },
];

export const TOKENS_BY_MIDDLE: readonly Rule[] = MIDDLES.map(({ label, literals, middle, before, longest, after }) => ({
  literals,
  secrets: each((text, from) => {
    middle.lastIndex = from;
    for (let match = middle.exec(text); match; match = middle.exec(text)) {
      const at = match.index;
      const beginning = before.exec(text.slice(Math.max(from, at - longest), at));
      const end = beginning ? endOf(after, text, middle.lastIndex) : -1;
      if (beginning && end >= 0) return { start: at - beginning[0].length, end, label };
    }
    return undefined;
  }),
}));
