import { storeContract } from "./contract.js";
import { placesFor } from "./places.js";

for (const [name, place] of Object.entries(placesFor("contract"))) storeContract(name, place);
