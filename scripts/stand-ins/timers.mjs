// Stands in for node:timers/promises in the hook, which hardly ever waits: Node compiles the real one at each start.
const real = () => require("node:timers/promises");

export function setTimeout(...given) {
  return real().setTimeout(...given);
}

export function setImmediate(...given) {
  return real().setImmediate(...given);
}
