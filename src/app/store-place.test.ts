import { join } from "node:path";
import { expect, test } from "vitest";
import { homeFolder, userFolder } from "./store-place.js";

const HERE = { HOME: "/h" };

test.each([
  ["the folder that was named", { ...HERE, MILEPOST_HOME: "/m", XDG_STATE_HOME: "/x" }, "/m"],
  ["the state folder", { ...HERE, XDG_STATE_HOME: "/x" }, "/x/milepost"],
  ["Windows' folder", { ...HERE, LOCALAPPDATA: "/l" }, "/l/milepost"],
  ["the home folder of the environment that was given, not of this process", HERE, "/h/.local/state/milepost"],
  ["empty names are none", { ...HERE, MILEPOST_HOME: "", XDG_STATE_HOME: "" }, "/h/.local/state/milepost"],
  ["without any, the person's own", { HOME: "" }, join(userFolder(), ".local/state/milepost")],
])("%s", (_name, environment, folder) => {
  expect(homeFolder(environment)).toBe(folder);
});
