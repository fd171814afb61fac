// What documents show and this machine cannot do. Each is looked for in the documents: one that is gone from them fails.

/** A line of a block, as it begins; and why it is not run. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  "npm install -g milepost": "needs npm's registry; test/project.test.ts looks into the package",
  "npm install @photostructure/sqlite": "needs npm's registry",
  "node dist/milepost.cjs setup": "the same file is run as milepost",
  "npm start": "builds, then runs milepost demo, which is run as an example",
  "npm test": "is what runs this",
  "claude plugin": "needs the real client: test/real-clients/plugin.test.ts runs it",
  "codex plugin": "needs the real client: test/real-clients/plugin.test.ts runs it",
  "EDITOR=nano milepost todo edit": "needs a terminal: test/todo-command.test.ts runs it with an editor",
  "EDITOR=nano milepost plan edit": "needs a terminal: test/plan-command.test.ts runs it with an editor",
  "MILEPOST_REMINDERS=off claude": "needs the real client",
  "milepost call --store postgres://": "names a server that is not there; the store's tests run on a real one",
  "milepost acp -- codex-acp": "needs the real adapter: test/real-clients/acp.test.ts runs it",
  "exec /bin/sh -c": "a line of an agent's file: test/setup.test.ts runs those that setup writes",
};
