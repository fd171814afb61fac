import { placesFor } from "./places.js";
import { planContract } from "./plan-contract.js";

for (const [name, place] of Object.entries(placesFor("plans"))) planContract(name, place);
