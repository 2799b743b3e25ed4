import type { HttpResponse, TemplatedApp } from "uWebSockets.js";
import { type ClientRequest, get } from "node:http";

const PATH = "/.cork-anchor";

/**
 * A response that is never sent, in whose cork other requests are upgraded.
 *
 * uWebSockets.js wants an awaited upgrade to happen inside a cork, and complains on standard error about each one that
 * does not. In the cork of the upgraded response itself, uWebSockets.js reads the new websocket's memory as the old
 * response's after the callback, and now and then closes the websocket as if the client had sent `Connection: close`.
 * Another response's cork avoids both, so the node holds one request to itself open.
 */
export class CorkAnchor {
  #response: HttpResponse | undefined;
  #request: ClientRequest | undefined;

  /** Adds the anchor's route, which keeps only the node's own request: from this machine, with a secret token. */
  addRoute(app: TemplatedApp, token: string): void {
    app.get(PATH, (res, req) => {
      if (req.getHeader("x-anchor") !== token || this.#response) {
        res.writeStatus("404 Not Found").end();
        return;
      }
      this.#response = res;
      res.onAborted(() => {
        this.#response = undefined;
      });
    });
  }

  /** Opens the request that is held open; resolves when its response is there. */
  async drop(address: { host: string; port: number }, token: string): Promise<void> {
    const host = address.host === "0.0.0.0" ? "127.0.0.1" : address.host;
    this.#request = get({
      host,
      port: address.port,
      path: PATH,
      headers: { "x-anchor": token },
      agent: false,
    });
    this.#request.on("error", () => undefined);
    this.#request.on("socket", (socket) => socket.unref());
    const deadlineMs = performance.now() + 1_000;
    while (!this.#response && performance.now() < deadlineMs)
      await new Promise((resolve) => setImmediate(resolve));
  }

  /** Runs `work` corked. */
  cork(work: () => void): void {
    if (this.#response) this.#response.cork(work);
    else work();
  }

  weigh(): void {
    this.#request?.destroy();
  }
}
