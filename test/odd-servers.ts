import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";

// Small real servers on this machine that answer as PostgreSQL would on a bad day, or not at all.

const SSL_REQUEST = 80_877_103;

const servers: Server[] = [];
const sockets = new Set<Socket>();

export function closeOddServers(): void {
  for (const server of servers.splice(0)) server.close();
  for (const socket of sockets) socket.destroy();
}

/** The address of a server that does this with each connection. */
export async function serve(answer: (socket: Socket) => void, path = "/store"): Promise<string> {
  return `postgres://u@127.0.0.1:${portOf(await listen(answer))}${path}`;
}

async function listen(answer: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    answer(socket);
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** Says this to the first bytes that come, and then nothing more. */
export function says(bytes: Buffer | string): (socket: Socket) => void {
  return (socket) => void socket.once("data", () => socket.write(bytes));
}

/** What PostgreSQL sends before it closes a connection. */
export function fatal(state: string, text: string): (socket: Socket) => void {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0M${text}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return (socket) => void socket.once("data", () => socket.end(Buffer.concat([head, fields])));
}

export interface Front {
  readonly url: string;
  /** From now on nothing goes through, in either direction. */
  freeze(): void;
  /** Nobody is there, and connections are lost, until it comes back. */
  leave(): void;
  comeBack(): Promise<void>;
}

interface FrontOptions {
  /** Silent from the first message on that has this in it. */
  readonly freezeAt?: string;
  /** Ends a connection before its first message of that kind goes through. */
  readonly cutAt?: string;
  /** Milliseconds that each answer takes longer. */
  readonly delay?: number;
}

/** Stands before a real server. */
export async function front(target: string, { cutAt, freezeAt, delay = 0 }: FrontOptions = {}): Promise<Front> {
  const { hostname, port, pathname, username } = new URL(target);
  let isFrozen = false;
  const own = new Set<Socket>();
  const listener = await listen((socket) => {
    const server = connect(Number(port), hostname);
    for (const one of [socket, server]) own.add(one);
    sockets.add(server);
    server.on("error", () => undefined);
    socket.on("data", (bytes) => {
      if (freezeAt !== undefined && bytes.includes(freezeAt)) isFrozen = true;
      if (cutAt !== undefined && bytes.toString("latin1", 0, 1) === cutAt) socket.destroy();
      else if (!isFrozen) server.write(bytes);
    });
    const answer = (bytes: Buffer) => !isFrozen && socket.write(bytes);
    server.on("data", (bytes) => (delay > 0 ? setTimeout(answer, delay, bytes) : answer(bytes)));
    socket.on("close", () => server.destroy());
    server.on("close", () => !isFrozen && socket.destroy());
  });
  const ownPort = portOf(listener);
  return {
    url: `postgres://${username}@127.0.0.1:${ownPort}${pathname}`,
    freeze: () => {
      isFrozen = true;
    },
    leave: () => {
      listener.close();
      for (const socket of own) socket.destroy();
    },
    comeBack: async () => {
      listener.listen(ownPort, "127.0.0.1");
      await once(listener, "listening");
    },
  };
}

/** TLS with a certificate that nobody has signed, before a real server; what is inside goes on to that. */
export async function tlsFront(target: string): Promise<string> {
  const { hostname, port, pathname, username } = new URL(target);
  const secureContext = createSecureContext(selfSigned());
  const url = await serve((socket) => {
    socket.once("data", (bytes) => {
      if (bytes.readInt32BE(4) !== SSL_REQUEST) return socket.destroy();
      socket.write("S");
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      const server = connect(Number(port), hostname);
      sockets.add(server);
      for (const one of [secure, server]) one.on("error", () => undefined);
      secure.pipe(server).pipe(secure);
      return undefined;
    });
  }, pathname);
  return url.replace("//u@", `//${username}@`);
}

/** A key and a certificate of its own, made here: no private key lies in the repository. */
function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(Buffer.from("06082a8648ce3d040302", "hex"));
  const name = sequence(
    tagged(0x31, sequence(Buffer.from("0603550403", "hex"), tagged(0x0c, Buffer.from("localhost")))),
  );
  const times = sequence(tagged(0x17, Buffer.from("200101000000Z")), tagged(0x18, Buffer.from("29991231235959Z")));
  const body = sequence(
    tagged(0xa0, Buffer.from("020102", "hex")),
    Buffer.from("020101", "hex"),
    algorithm,
    name,
    times,
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const seal = Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]);
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem(sequence(body, algorithm, tagged(0x03, seal))),
  };
}

function pem(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

/** One value of ASN.1. */
function tagged(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}
