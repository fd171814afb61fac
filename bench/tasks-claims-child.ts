// A process that claims tasks and does nothing else: node tasks-claims-child.ts URL OWNER COUNT. Begins when it is told so.
import { once } from "node:events";
import { PROJECTIONS } from "../src/app/views.js";
import { openStore } from "../src/store/open.js";
import { claimOne } from "./tasks-made.js";

const [url = "", owner = "", count = "0"] = process.argv.slice(2);
const store = await openStore(url, { projections: PROJECTIONS });
console.log("ready");
await once(process.stdin, "data");
const numbers: number[] = [];
while (numbers.length < Number(count)) numbers.push((await claimOne(store, owner)).number);
console.log(JSON.stringify(numbers));
process.stdin.destroy();
await store.close();
