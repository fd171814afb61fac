import { Literals } from "./literals.js";
import { endOf, MOST_SECRETS, type Rule, type Secret } from "./rule.js";
import { isPlaceholder } from "./secret-values.js";

// Programs whose short flags take a password. Which flag it is depends on the program: `-p` of docker is a port.

/** One word of a shell, in quotes or without. */
const WORD = String.raw`(?:\\?"[^"\n]{0,400}|\\?'[^'\n]{0,400}|[^\s"'\\][^\s"']{0,400})`;
const USER = String.raw`\\?["']?[^\s:"'\\,]{0,64}`;

/** What stands before the secret, and the secret. Bounded, so that a line full of flags costs its length. */
function flag(before: string, secret = WORD): RegExp {
  return new RegExp(`(?<=[\\s"',]${before})${secret}`, "g");
}

interface Program {
  readonly names: string;
  /** Made with the first of its command lines: a hook does not wait for them. */
  readonly flags: () => readonly RegExp[];
  /** Only where its arguments have this word. */
  readonly needs?: RegExp;
}

const PROGRAMS: readonly Program[] = [
  { names: "mysql[a-z_]{0,20}|mariadb[a-z-]{0,20}", flags: () => [flag("-p", String.raw`(?!\s)${WORD}`)] },
  {
    names: "curl|wget|http|https",
    flags: () => [
      flag(`(?:-u|-U|-a|--user|--proxy-user|--auth)[\\s=]{0,4}${USER}:`, "[^\\s\"'\\\\:][^\\s\"'\\\\]{0,400}"),
      flag(String.raw`(?:-b|--cookie)[\s=]{1,4}\\?["']?`, String.raw`[^\s"'=]{1,100}=[^"'\n\\]{1,2000}`),
      flag(String.raw`(?:-E|--cert)[\s=]{1,4}[^\s:"']{1,64}:`, String.raw`[^\s"'\\]{1,200}`),
    ],
  },
  { names: "sshpass", flags: () => [flag(String.raw`-p\s{0,4}`)] },
  {
    names: "docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|heroku|ibmcloud|rclone",
    needs: /\blogin\b/,
    flags: () => [flag(String.raw`-p[\s=]{0,4}`)],
  },
  { names: "redis-cli", flags: () => [flag(String.raw`-a[\s=]{1,4}`)] },
  {
    names: "mongo[a-z]{0,10}|rabbitmqadmin|influx|cqlsh|ipmitool",
    flags: () => [flag(String.raw`(?:-p|-P)[\s=]{0,4}`, String.raw`(?!\d{2,5}(?:\s|$))${WORD}`)],
  },
  { names: "xfreerdp|rdesktop", flags: () => [flag("(?:/p:|-p ?)")] },
  { names: "ldap[a-z]{3,7}", flags: () => [flag(String.raw`-[wsa]\s{1,4}`)] },
  { names: "sqlcmd|bcp|osql|isql|zip|unzip", flags: () => [flag(String.raw`-P\s{0,4}`)] },
  { names: "7za|unrar", flags: () => [flag("-h?p")] },
  { names: "smbclient|rpcclient", flags: () => [flag(String.raw`(?:-U|--user)[\s=]{0,4}\\?["']?[^\s%"']{1,64}%`)] },
  { names: "openssl", flags: () => [flag("pass:", String.raw`[^\s"'\\]{1,200}`), flag(String.raw`-[kK]\s{1,4}`)] },
  { names: "ssh-keygen", flags: () => [flag(String.raw`-[NP]\s{1,4}`)] },
  {
    names: "htpasswd",
    flags: () => [flag(String.raw`-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\s{1,4}\S{1,64}\s{1,4}\S{1,64}\s{1,4}`)],
  },
  { names: "lftp", flags: () => [flag(String.raw`-u\s{0,4}[^\s,"']{1,64},`, String.raw`[^\s"'\\]{1,200}`)] },
  { names: "sqlplus|expdp|impdp", flags: () => [flag(String.raw`[\w.-]{1,60}/`, String.raw`[^\s@"'/\\]{1,200}`)] },
  {
    names: "vault",
    needs: /\b(?:login|unlock)\b/,
    flags: () => [flag(String.raw`(?:login|unlock)\s{1,4}`, String.raw`[^\s"'=-][^\s"'=]{7,400}(?![^\s]*=)`)],
  },
  { names: "security", flags: () => [flag(String.raw`-w\s{1,4}`)] },
];

const PART = /[^\n;|]*/y;

interface Known {
  readonly program: Program;
  /** The whole name, and nothing before or behind it. */
  readonly name: RegExp;
}

/** The beginnings of the names, which are all that has to be found. */
const LITERALS = PROGRAMS.flatMap((program) =>
  program.names.split("|").map((name) => ({ program, literal: name.replace(/[[(?].*/, "") })),
);

let made: Literals<Known> | undefined;

/** Made with the first command line: other texts need none of it. */
function known(): Literals<Known> {
  made ??= new Literals(
    LITERALS.map(({ literal, program }) => {
      return [literal, { program, name: new RegExp(`(?<![\\w-])(?:${program.names})(?=[\\s"'])`, "y") }] as const;
    }),
  );
  return made;
}

/** ` -pX`. */
const SHORTEST = 4;

/** `docker exec db mysql -p...`: one program starts another, and each flag may be either's. */
const MOST_AT_ONCE = 3;

/** Each piece of text is looked at once for each of the last few programs that stand before it in its line. */
function* inCommands(text: string): Generator<Secret> {
  let programs: readonly Program[] = [];
  let lineEnd = 0;
  for (let call = callFrom(text, 0); call; ) {
    const { start, program } = call;
    const isNewLine = start > lineEnd;
    const others = isNewLine ? [] : programs.filter((one) => one !== program);
    programs = [program, ...others].slice(0, MOST_AT_ONCE);
    if (isNewLine) lineEnd = endOf(PART, text, start);
    call = callFrom(text, start);
    const piece = text.slice(start, Math.min(lineEnd, call?.at ?? lineEnd));
    if (piece.length < SHORTEST) continue;
    for (const found of inOrder(programs.flatMap((one) => inArguments(piece, one)))) yield shifted(found, start);
  }
}

function callFrom(text: string, from: number) {
  return known().find(text, from, (at, { name, program }) => {
    const start = endOf(name, text, at);
    return start < 0 ? undefined : { at, start, program };
  });
}

function shifted({ start, end, label }: Secret, by: number): Secret {
  return { start: start + by, end: end + by, label };
}

const madeFlags = new Map<Program, readonly RegExp[]>();

function flagsOf(program: Program): readonly RegExp[] {
  const flags = madeFlags.get(program) ?? program.flags();
  madeFlags.set(program, flags);
  return flags;
}

function inArguments(line: string, program: Program): readonly Secret[] {
  const { needs } = program;
  if (needs && !needs.test(line)) return [];
  const found: Secret[] = [];
  for (const pattern of flagsOf(program)) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(line); match && found.length <= MOST_SECRETS; match = pattern.exec(line)) {
      const open = /^\\?["']/.exec(match[0])?.[0].length ?? 0;
      const start = match.index + open;
      const end = open === 0 ? pattern.lastIndex : start + match[0].slice(open).replace(/\\$/, "").length;
      if (!isPlaceholder(line.slice(start, end))) found.push({ start, end, label: "password" });
    }
  }
  return found;
}

/** One after the other: two flags of a program may both take the same word. */
function inOrder(found: readonly Secret[]): readonly Secret[] {
  const sorted = [...found].sort((a, b) => a.start - b.start);
  return sorted.filter(({ start }, index) => index === 0 || start >= (sorted[index - 1]?.end ?? 0));
}

export const COMMAND_SECRETS: Rule = { literals: LITERALS.map(({ literal }) => literal), secrets: inCommands };

const IDENTIFIED =
  /\bidentified\s{1,4}(?:with\s{1,4}\S{1,64}\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4})?\\?["']([^"'\\]{1,400})/gi;

/** SQL: `CREATE USER bob IDENTIFIED BY '...'`. */
export const SQL_PASSWORDS: Rule = {
  literals: ["identified"],
  *secrets(text) {
    IDENTIFIED.lastIndex = 0;
    for (let match = IDENTIFIED.exec(text); match; match = IDENTIFIED.exec(text)) {
      const end = IDENTIFIED.lastIndex;
      const value = match[1] ?? "";
      if (!isPlaceholder(value)) yield { start: end - value.length, end, label: "password" };
    }
  },
};

/** `echo PASSWORD | docker login --password-stdin`, `echo root:PASSWORD | chpasswd`. */
const PIPED =
  /(?<![\w-])(?:echo|printf)\s{1,4}(?:-\w{1,3}\s{1,4})?\\?["']?(?:[\w.-]{1,64}:(?=[^|\n]{1,250}chpasswd))?([^\s"'|\\]{3,200})\\?["']?\s{0,4}\|\s{0,4}(?=[^|;\n]{0,100}(?:--password-stdin|--with-token|chpasswd|sudo -S|--passphrase-fd|--password-fd))/g;

export const PIPED_SECRETS: Rule = {
  literals: ["-stdin", "--with-token", "chpasswd", "sudo -S", "-fd"],
  *secrets(text) {
    PIPED.lastIndex = 0;
    for (let match = PIPED.exec(text); match; match = PIPED.exec(text)) {
      const [whole, value = ""] = match;
      const start = match.index + whole.lastIndexOf(value);
      if (!isPlaceholder(value)) yield { start, end: start + value.length, label: "password" };
    }
  },
};
