import type { FileEdit, Wish, World } from "../src/app/setup/agents/agent.js";

// What setup makes of an agent's files, without a file.

export const SETUP_WORLD: World = {
  environment: {},
  program: {
    node: "/bin/node",
    bundle: "/m/dist/milepost.cjs",
    userFolder: "/u",
    temporaryFolder: "/tmp",
    platform: "linux",
  },
  home: "/s/milepost",
};

const launch = {
  node: "/bin/node",
  script: "/m/dist/milepost.cjs",
  platform: "linux",
  shellFile: "/s/milepost/wiring/milepost.sh",
  isHomeFixed: false,
};
const ours: Wish = { launch, guidance: false, offer: { todo: "ours", tasks: false } };

export const WISHES = {
  ours,
  client: { ...ours, offer: { todo: "client", tasks: false } },
  moved: { ...ours, launch: { ...launch, node: "/new node/it's" } },
  withTasks: { ...ours, offer: { todo: "ours", tasks: true } },
  onWindows: { ...ours, launch: { ...launch, platform: "win32" } },
} as const satisfies Readonly<Record<string, Wish>>;

export const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The same edit, where everything must go well. */
export function textsOf(edit: FileEdit) {
  const wire = (text: string | undefined, wish: Wish = WISHES.ours, made?: readonly string[]): string => {
    const wired = edit.wire(text, wish, made);
    if (!wired.ok) throw new Error(wired.error.message);
    return wired.value.text ?? "";
  };
  const unwire = (text: string, made?: readonly string[]): string | undefined => {
    const unwired = edit.unwire(text, made);
    if (!unwired.ok) throw new Error(unwired.error.message);
    return unwired.value.text;
  };
  return {
    wire,
    unwire,
    refusal: (text: string) => {
      const wired = edit.wire(text, WISHES.ours);
      return wired.ok ? undefined : wired.error.code;
    },
    /** In, in again, moved, with tasks, and out: with what was made remembered. Every text should be the one before. */
    rounds(text: string): readonly (string | undefined)[] {
      const wired = wire(text);
      const again = [wire(wired), ...[WISHES.moved, WISHES.withTasks].map((other) => wire(wire(wired, other)))];
      return [...again.map((one) => (one === wired ? text : one)), unwire(wired, edit.made?.(text, wired))];
    },
  };
}
