import type { SessionNotification } from "@agentclientprotocol/sdk";
import { expect } from "vitest";
// The package checks messages with these and does not export them.
import { zSessionNotification } from "../node_modules/@agentclientprotocol/sdk/dist/v1/schema/zod.gen.js";

/**
 * Fails unless the official schema takes the whole message. It forgives fields that it cannot read and drops them, so
 * what it gives back must be what it was given.
 */
export function expectAcp(params: unknown): SessionNotification {
  const read = zSessionNotification.parse(params);
  expect(read).toEqual(params);
  return read as SessionNotification;
}
