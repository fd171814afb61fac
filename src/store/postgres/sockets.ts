import { Socket } from "node:net";

/** After a goodbye a sound server closes at once; a silent one never does. */
const GOODBYE_MS = 1000;

/**
 * What a server says that is none throws where the client takes it apart, outside of any call: it ends the connection.
 */
class WarySocket extends Socket {
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    try {
      return super.emit(event, ...values);
    } catch (error) {
      if (event !== "data") throw error;
      this.destroy(error as Error);
      return true;
    }
  }
}

/** The connections of one store, so that none of them outlives it, whatever the server does. */
export class Sockets {
  readonly #open = new Set<Socket>();

  readonly create = (): Socket => {
    const socket = new WarySocket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  };

  /** They have said goodbye; nobody waits for the answer. */
  release(): void {
    for (const socket of this.#open) socket.unref();
    const end = () => {
      for (const socket of this.#open) socket.destroy();
    };
    setTimeout(end, GOODBYE_MS).unref();
  }
}
