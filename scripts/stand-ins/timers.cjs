// Stands in for node:timers/promises in the hook, which hardly ever waits: Node compiles the real one at each start.
const real = () => require("node:timers/promises");

exports.setTimeout = (...given) => real().setTimeout(...given);
exports.setImmediate = (...given) => real().setImmediate(...given);
