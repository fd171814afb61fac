import { type CommandGroup, entry } from "../../command-definition.js";

export const TODO_COMMANDS: CommandGroup = {
  name: "todo",
  summary: "Show or change a session's todo list: add, start, done, note, edit, undo ...",
  details: `Todos are named by number (3, or 3 4 5), or one by a part of its text. Only --all means all of them. What
you change is recorded as yours, and the agent is told with its next step (that needs the hooks that milepost setup
wires). Which list: --session ID, else that of the newest session in this project.`,
  examples: ["milepost todo add Write the docs", "milepost todo done 3"],
  verbs: [
    entry(
      "list",
      "Show the list; milepost todo alone does the same",
      async () => (await import("./list-todos.js")).listTodos,
    ),
    entry("add", "Add a todo", async () => (await import("./add-todos.js")).addTodos),
    entry("start", "Mark a todo as in progress", async () => (await import("./change-todos.js")).startTodo),
    entry("done", "Complete todos", async () => (await import("./change-todos.js")).finishTodos),
    entry("drop", "Cancel todos; they stay in sight", async () => (await import("./change-todos.js")).dropTodos),
    entry("rm", "Remove todos from the list", async () => (await import("./change-todos.js")).removeTodos),
    entry("note", "Add a note to a todo", async () => (await import("./change-todos.js")).noteTodo),
    entry(
      "why",
      "Tell why a todo has its verdict: what ran, which check, and how it ended",
      async () => (await import("./why-todo.js")).whyTodo,
    ),
    entry("rename", "Change a todo's text", async () => (await import("./change-todos.js")).renameTodo),
    entry("order", "Move todos to the top", async () => (await import("./change-todos.js")).orderTodos),
    entry("edit", "Change the list in your editor", async () => (await import("./markdown-todos.js")).editTodos),
    entry(
      "undo",
      "Undo your last change; again for the one before",
      async () => (await import("./undo-todos.js")).undoTodos,
    ),
    entry(
      "import",
      "Replace the list from a markdown file",
      async () => (await import("./markdown-todos.js")).importTodos,
    ),
    entry("export", "Write the list to a markdown file", async () => (await import("./markdown-todos.js")).exportTodos),
    entry("copy", "Copy the list to the clipboard", async () => (await import("./markdown-todos.js")).copyTodos),
    entry(
      "waive",
      "Say that work cannot be checked here, and why",
      async () => (await import("./evidence-todos.js")).waiveChecks,
    ),
    entry(
      "evidence",
      "Show or set what is asked of a list: off, nudge or require",
      async () => (await import("./evidence-todos.js")).setEvidence,
    ),
    entry("--slash", "Run oh-my-pi's own /todo command", async () => (await import("./slash-todos.js")).slashTodos),
  ],
};
