import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { storeContract } from "./contract.js";

storeContract("memory", { fresh: async () => "memory:", isShared: false });

const folder = mkdtempSync(join(tmpdir(), "milepost-contract-"));
let files = 0;
storeContract("sqlite", {
  fresh: async () => join(folder, `${++files}`, "milepost.db"),
  isShared: true,
  tearDown: async () => rmSync(folder, { recursive: true, force: true }),
});

const server = inject("postgres");
let databases = 0;
let admin: pg.Client;
storeContract("postgres", {
  setUp: async () => {
    admin = new pg.Client(server);
    await admin.connect();
  },
  fresh: async () => {
    const name = `contract_${process.pid}_${++databases}`;
    await admin.query(`CREATE DATABASE ${name}`);
    return server.replace(/\/postgres$/, `/${name}`);
  },
  isShared: true,
  tearDown: () => admin.end(),
});
