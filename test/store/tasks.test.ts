import { placesFor } from "./places.js";
import { taskContract } from "./task-contract.js";

for (const [name, place] of Object.entries(placesFor("tasks"))) taskContract(name, place);
