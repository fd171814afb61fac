import type { Step } from "./effect.js";
import { isAtEnd } from "./frame/text-page.js";
import { onSession, say, verb, whose } from "./key-steps.js";
import { bodySize, moveCursor } from "./move-cursor.js";
import type { Prompt, ViewState } from "./view-state.js";
import { planHere, type Size, type World } from "./world.js";

// Keys that decide on a plan.

/** What is approved was read: the first key shows the text, and at its end the next one approves just that text. */
export function approve(state: ViewState, world: World, size: Size): Step {
  const plan = planHere(world, state);
  const { page } = state;
  if (plan?.status !== "proposed") return say(state, "No plan waits for a decision here.", world.now);
  if (page?.plan !== plan.id) return { state, effect: { type: "plan", plan: plan.id } };
  if (!isAtEnd(page, bodySize(size, world))) {
    const read = moveCursor(state, "page-down", world, size);
    const text = "Read on below.";
    return { state: { ...read, message: { text, isError: false, at: world.now } } };
  }
  const input = { plan: plan.id, hash: page.hash ?? plan.hash, todos: false, tasks: false };
  return { state: { ...state, page: undefined }, effect: verb("plan approve", input) };
}

export function reject(state: ViewState, world: World): Step {
  const plan = planHere(world, state);
  if (plan?.status !== "proposed") return say(state, "No plan waits for a decision here.", world.now);
  const prompt: Prompt = { kind: "reject", label: "Reject, because:", text: "", about: plan.id };
  return { state: { ...state, prompt } };
}

export function edit(state: ViewState, world: World): Step {
  const plan = state.tab === "plans" || state.page?.plan !== undefined ? planHere(world, state) : undefined;
  if (plan)
    return {
      state: { ...state, page: undefined },
      effect: { type: "edit", name: "plan edit", input: { plan: plan.id } },
    };
  return onSession(state, world, (session) => ({ type: "edit", name: "todo edit", input: whose(session) }));
}
