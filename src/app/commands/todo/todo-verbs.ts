import { type CommandGroup, entry } from "../../command.js";

export const TODO_COMMANDS: CommandGroup = {
  name: "todo",
  summary: "Your own hand on a session's list: list, add, start, done, edit, undo ...",
  details: `Todos are named by number (3, or 3 4 5), or one by a part of its text. Nothing means all of them but --all. What you change is recorded
as yours, and the agent is told with its next step (that needs the hooks that milepost setup wires). Which list: --session ID, else
that of the newest session in this project.

Examples:
  milepost todo add Write the docs
  milepost todo done 3`,
  verbs: [
    entry(
      "list",
      "The list, with numbers (the same as milepost todo)",
      async () => (await import("./list-todos.js")).listTodos,
      "ls",
      "show",
      "print",
      "view",
    ),
    entry(
      "add",
      "Add a todo",
      async () => (await import("./add-todos.js")).addTodos,
      "append",
      "new",
      "create",
      "insert",
      "push",
    ),
    entry(
      "start",
      "Take up a todo; the one in progress goes back to pending",
      async () => (await import("./move-todos.js")).startTodo,
      "begin",
      "doing",
      "resume",
    ),
    entry(
      "done",
      "Complete todos",
      async () => (await import("./move-todos.js")).finishTodos,
      "finish",
      "complete",
      "completed",
      "check",
      "tick",
      "close",
    ),
    entry(
      "drop",
      "Cancel todos: no longer needed",
      async () => (await import("./move-todos.js")).dropTodos,
      "cancel",
      "abandon",
      "skip",
    ),
    entry(
      "rm",
      "Take todos off the list",
      async () => (await import("./arrange-todos.js")).removeTodos,
      "remove",
      "delete",
      "del",
      "clear",
    ),
    entry(
      "note",
      "Add a note to a todo",
      async () => (await import("./reword-todos.js")).noteTodo,
      "comment",
      "annotate",
    ),
    entry(
      "rename",
      "Change a todo's text",
      async () => (await import("./reword-todos.js")).renameTodo,
      "reword",
      "retitle",
    ),
    entry(
      "order",
      "Put todos first",
      async () => (await import("./arrange-todos.js")).orderTodos,
      "sort",
      "reorder",
      "move",
      "mv",
    ),
    entry(
      "edit",
      "Change the list as markdown in your editor",
      async () => (await import("./edit-todos.js")).editTodos,
      "change",
      "modify",
    ),
    entry(
      "undo",
      "Take back a person's last change, and the ones before it",
      async () => (await import("./undo-todos.js")).undoTodos,
      "revert",
      "back",
    ),
    entry(
      "import",
      "Replace the list from a markdown file",
      async () => (await import("./edit-todos.js")).importTodos,
      "load",
      "read",
    ),
    entry(
      "export",
      "Write the list to a markdown file",
      async () => (await import("./export-todos.js")).exportTodos,
      "save",
      "write",
    ),
    entry(
      "copy",
      "Copy the list as markdown to the clipboard",
      async () => (await import("./export-todos.js")).copyTodos,
      "cp",
      "yank",
    ),
    entry(
      "--slash",
      "What oh-my-pi's own /todo does, in its words",
      async () => (await import("./slash-todos.js")).slashTodos,
    ),
  ],
};
