import { createHash as realHash } from "node:crypto";
import { createRequire } from "node:module";
import { crc32 as real } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
// @ts-expect-error: a plain script without types
import { createHash } from "../scripts/stand-ins/crypto.mjs";

const require = createRequire(import.meta.url);

test("the hook's checksum gives the numbers that zlib gives", () => {
  const { crc32 } = require("../scripts/stand-ins/zlib.cjs");
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.nat(0xffffffff), (text, before) => {
      expect(crc32(text)).toBe(real(text));
      expect(crc32(text, before)).toBe(real(text, before));
    }),
  );
});

test("the hash that names a list is the one that crypto gives", () => {
  const hashes = (make: typeof realHash, text: string) => make("sha256").update(text).digest("hex");
  for (let length = 0; length < 200; length += 1)
    expect(hashes(createHash, "x".repeat(length))).toBe(hashes(realHash, "x".repeat(length)));
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(hashes(createHash, text)).toBe(hashes(realHash, text));
    }),
  );
});

test("the binary that is loaded at once is SQLite", () => {
  const { DatabaseSync } = require("../scripts/stand-ins/sqlite.cjs");
  const database = new DatabaseSync(":memory:", {});
  expect(database.prepare("SELECT 6 * 7 AS answer").get()).toEqual({ answer: 42 });
  database.close();
});

test("an id of the command line's is a UUID of version 4, another one each time", async () => {
  const { crypto } = await import(String(new URL("../scripts/stand-ins/web-crypto.mjs", import.meta.url)));
  const ids = Array.from({ length: 1000 }, () => crypto.randomUUID());
  expect(new Set(ids).size).toBe(1000);
  expect(ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual(
    [],
  );
});

test("the checksum of much text is that of zlib too", () => {
  const { crc32 } = require("../scripts/stand-ins/zlib.cjs");
  const text = "Übung 日本 ".repeat(5000);
  for (let times = 0; times < 3; times += 1) expect(crc32(text, times)).toBe(real(text, times));
});
