// What goes into a command, as plain data: flags, words, help, completion and docs are derived from it.

/** One input of a command. `name` is the word for its value in help; completion goes by it. A choice has none. */
export interface Field<Value = unknown> {
  readonly kind: "text" | "number" | "toggle" | "choice";
  readonly name: string;
  readonly about: string;
  readonly isNeeded: boolean;
  /** A flag that may be repeated; as the last word of a line: all words that follow. */
  readonly isMany: boolean;
  readonly standard?: Value | undefined;
  readonly choices?: readonly string[] | undefined;
  /** Where numbers end. */
  readonly least?: number | undefined;
  readonly most?: number | undefined;
  /** What is wrong with a text that was given; undefined when nothing is. */
  readonly check?: ((text: string) => string | undefined) | undefined;
}

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<One> = One extends Field<infer Value> ? Value : never;

/** What a command gets to work with: fields that may be left out are optional. */
export type Values<All extends Fields> = {
  readonly [Name in keyof All as undefined extends ValueOf<All[Name]> ? Name : never]?: ValueOf<All[Name]>;
} & {
  readonly [Name in keyof All as undefined extends ValueOf<All[Name]> ? never : Name]: ValueOf<All[Name]>;
};

interface TextOptions {
  /** An empty text has a meaning, such as: no description. */
  readonly mayBeEmpty?: boolean;
  /** Words that it may be, for completion and suggestions; `check` decides. */
  readonly choices?: readonly string[];
  readonly check?: (text: string) => string | undefined;
}

export function text(name: string, about: string, options: TextOptions & { readonly standard: string }): Field<string>;
export function text(name: string, about: string, options?: TextOptions): Field<string | undefined>;
export function text(
  name: string,
  about: string,
  { mayBeEmpty = false, choices, check, standard }: TextOptions & { readonly standard?: string } = {},
): Field<string | undefined> {
  const whole = (given: string) => (given === "" && !mayBeEmpty ? "it is empty" : check?.(given));
  return { kind: "text", name, about, isNeeded: false, isMany: false, standard, choices, check: whole };
}

interface NumberOptions {
  readonly least?: number;
  readonly most?: number;
  /** Also parts, such as 0.5. */
  readonly isFraction?: boolean;
}

export function number(
  name: string,
  about: string,
  options: NumberOptions & { readonly standard: number },
): Field<number>;
export function number(name: string, about: string, options?: NumberOptions): Field<number | undefined>;
export function number(
  name: string,
  about: string,
  { standard, ...limits }: NumberOptions & { readonly standard?: number } = {},
): Field<number | undefined> {
  const { least, most } = limits;
  const check = (given: string) => wrongNumber(given, limits);
  return { kind: "number", name, about, isNeeded: false, isMany: false, standard, least, most, check };
}

function wrongNumber(given: string, { least, most, isFraction = false }: NumberOptions): string | undefined {
  const value = Number(given);
  const isNumber = given.trim() !== "" && (isFraction ? Number.isFinite(value) : Number.isSafeInteger(value));
  if (!isNumber) return isFraction ? "use a number" : "use a whole number";
  if (least !== undefined && value < least) return `use ${least} or more`;
  return most !== undefined && value > most ? `use ${most} or less` : undefined;
}

export function toggle(about: string): Field<boolean> {
  return { kind: "toggle", name: "", about, isNeeded: false, isMany: false, standard: false };
}

export function choice<Name extends string>(
  choices: readonly Name[],
  about: string,
  standard: NoInfer<Name>,
): Field<Name>;
export function choice<Name extends string>(choices: readonly Name[], about: string): Field<Name | undefined>;
export function choice(choices: readonly string[], about: string, standard?: string): Field<string | undefined> {
  const check = (given: string) => (choices.includes(given) ? undefined : `use ${choices.join(", ")}`);
  return { kind: "choice", name: "", about, isNeeded: false, isMany: false, standard, choices, check };
}

export function many<Value>(field: Field<Value>): Field<readonly NonNullable<Value>[] | undefined> {
  return { ...field, isMany: true, standard: undefined };
}

export function needed<Value>(field: Field<Value>): Field<NonNullable<Value>> {
  return { ...field, isNeeded: true } as Field<NonNullable<Value>>;
}

/** `upTo` in a command is `--up-to` on the command line. */
export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The word in capitals that stands for a value in help. */
export function valueName(name: string, field: Field): string {
  return field.name || flagName(name).slice(2).toUpperCase();
}

// Pure, so that hooks, which need only the names of flags, are built without these.
/** Commands that write their output as they go have it among their own fields. */
export const JSON_FLAG = /* @__PURE__ */ toggle("print JSON, also for errors");

/** What every command takes besides its own fields. */
export const COMMON_FLAGS: Fields = {
  json: JSON_FLAG,
  store: /* @__PURE__ */ text(
    "URL",
    "a file, postgres://... or memory: (or MILEPOST_STORE; default: milepost.db in Milepost's own folder)",
  ),
};
