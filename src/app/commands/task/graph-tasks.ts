import { ok, type Result } from "../../../core/result.js";
import { criticalPath } from "../../../core/task/critical-path.js";
import { toDot, toMermaid } from "../../../core/task/drawings.js";
import { connectedTo, type GraphTask, graphOf, type TaskGraph, toGraphTask } from "../../../core/task/task-graph.js";
import { type CommandContext, defineCommand } from "../../command-definition.js";
import { choice, JSON_FLAG, text, toggle } from "../../fields.js";
import { jsonLine } from "../../json-lines.js";
import { lookAtTasks, readTasks, taskNamed } from "../../tasks/read-tasks.js";
import { pathRows, reportEdge, reportNode, treeText } from "../../terminal/graph-text.js";
import { givenStore, nextStep, WHERE_FLAGS } from "../../terminal/next-step.js";
import { listOf, WHERE, type Where } from "./task-flags.js";

const FORMATS = ["tree", "mermaid", "dot", "json"] as const;

export const graphTasks = defineCommand({
  details: `The tree shows subtasks below their parent (─), and blocked tasks after the last of their blockers (▸).
mermaid is for Markdown pages, dot for Graphviz. With TASK: only tasks connected to it.
--json: {"graph":{"nodes":[{"id","subject","status","standing"}],"edges":[{"type","from","to"}]}}, where type is
"blocks" (from the blocker) or "contains" (from the parent).`,
  examples: ["milepost task graph --open", "milepost task graph --format dot | dot -Tsvg > tasks.svg"],
  words: ["task"],
  input: {
    task: text("TASK", "only tasks connected to this one"),
    format: choice(FORMATS, "output format", "tree"),
    open: toggle("only open tasks"),
    ...WHERE,
    json: JSON_FLAG,
  },
  async run(context, { task, format, open, json, ...where }) {
    const graph = await readGraph(context, where, { isOpen: open, name: task });
    if (!graph.ok) return graph;
    const { output } = context;
    const add = nextStep('task add "First task"', { ...where, store: givenStore(context) }, WHERE_FLAGS);
    const drawings: Readonly<Record<(typeof FORMATS)[number], () => Iterable<string>>> = {
      tree: () => treeText(graph.value, output, add),
      mermaid: () => [toMermaid(graph.value)],
      dot: () => [toDot(graph.value)],
      json: () => [graphJson(graph.value)],
    };
    // In pieces, so that a slow reader slows the drawing down.
    for (const piece of drawings[json ? "json" : format]()) await output.write(piece);
    return ok(undefined);
  },
});

function graphJson({ tasks, edges }: TaskGraph): string {
  return `${jsonLine({ graph: { nodes: [...tasks.values()].map(reportNode), edges: edges.map(reportEdge) } })}\n`;
}

export const pathTasks = defineCommand({
  details: `The critical path: the longest chain of open tasks in which each blocks the next. More workers do not make
it shorter. Every task counts 1, or the number in its metadata under the --weight key.
--json: {"path":[{"id","subject","status","standing"}],"weight"}.`,
  examples: ["milepost task path --weight estimate"],
  input: {
    weight: text("WEIGHT", "metadata key that holds a number, such as estimate"),
    ...WHERE,
  },
  async run(context, { weight, ...where }) {
    const graph = await readGraph(context, where, { isOpen: true });
    if (!graph.ok) return graph;
    const path = criticalPath(graph.value, weight);
    return ok({ path: path.tasks.map(reportNode), weight: path.weight });
  },
  show: pathRows,
});

interface Part {
  readonly isOpen: boolean;
  readonly name?: string | undefined;
}

async function readGraph(context: CommandContext, where: Where, { isOpen, name }: Part): Promise<Result<TaskGraph>> {
  const list = listOf(context, where);
  if (!list.ok) return list;
  const { store } = await context.open("read");
  const middle = name === undefined ? undefined : await lookAtTasks(store, (look) => taskNamed(look, list.value, name));
  if (middle && !middle.ok) return middle;
  const tasks: GraphTask[] = [];
  for await (const page of readTasks(store, list.value, { isOpen: isOpen || undefined }))
    for (const task of page.tasks) tasks.push(toGraphTask(task));
  const graph = graphOf(tasks);
  return ok(middle ? connectedTo(graph, middle.value.task.number) : graph);
}
