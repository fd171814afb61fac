import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface LoopbackCall {
  readonly method: string;
  readonly path: string;
  /** Parsed JSON, or undefined when there was none. */
  readonly body: unknown;
  /** When it came, in milliseconds of `performance.now()`. */
  readonly at: number;
}

export type LoopbackReply =
  | { readonly type: "json"; readonly status: number; readonly value: unknown }
  | { readonly type: "events"; readonly events: readonly ServerSentEvent[] }
  /** Events without a name, and the word that ends them; for some clients without that word. */
  | { readonly type: "data"; readonly values: readonly unknown[]; readonly isUnmarked?: boolean };

export interface ServerSentEvent {
  readonly type: string;
}

interface Loopback {
  readonly url: string;
  /** What could not be answered. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

export const json = (status: number, value: unknown): LoopbackReply => ({ type: "json", status, value });
export const NOT_SCRIPTED = json(404, { error: { type: "not_found_error", message: "not scripted" } });

/** A server that only this machine can reach, on a free port. */
export async function serveLoopback(answer: (call: LoopbackCall) => Promise<LoopbackReply>): Promise<Loopback> {
  const failures: string[] = [];
  const refuse = (error: unknown) => {
    failures.push(String(error));
    // 400 and not 500: a client would try again for minutes instead of saying what is wrong
    return json(400, { type: "error", error: { type: "api_error", message: String(error) } });
  };
  const server = createServer((request, response) => {
    readCall(request)
      .then(answer)
      .catch(refuse)
      .then((reply) => send(response, reply));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // listens on TCP, so it is never a pipe's name
  return {
    url: `http://127.0.0.1:${port}`,
    failures,
    close: async () => {
      server.closeAllConnections(); // clients keep connections open
      server.close();
      await once(server, "close");
    },
  };
}

async function readCall(request: IncomingMessage): Promise<LoopbackCall> {
  const at = performance.now();
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) text += chunk;
  return { method: request.method ?? "", path: request.url ?? "", body: text ? JSON.parse(text) : undefined, at };
}

function send(response: ServerResponse, reply: LoopbackReply): void {
  if (reply.type === "json") {
    response.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(reply.value));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  if (reply.type === "data") {
    const end = reply.isUnmarked ? [] : ["[DONE]"];
    for (const value of [...reply.values.map((one) => JSON.stringify(one)), ...end])
      response.write(`data: ${value}\n\n`);
    response.end();
    return;
  }
  for (const event of reply.events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}
