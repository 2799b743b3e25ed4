import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

/** What an attacker would like to receive traffic on: HTTP, websockets, bare connections and UDP, one port each. */
export interface AttackersListener {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly httpPort: number;
  readonly udpPort: number;
  /** What arrived, such as `GET /beacon` and `udp 20 bytes`. */
  readonly heard: readonly string[];
  close(): Promise<void>;
}

/** Answers and records whatever arrives. */
export async function openAttackersListener(): Promise<AttackersListener> {
  const heard: string[] = [];
  const http = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "text/html" });
    response.end("<script>parent.postMessage({kind:'parley-hello',nonce:''},'*')</script>");
  });
  http.on("connection", () => heard.push("a connection"));
  new WebSocketServer({ server: http }).on("connection", () => heard.push("a websocket"));
  const udp = createSocket("udp4");
  udp.on("message", (message) => heard.push(`udp ${message.length} bytes`));
  http.listen(0, "127.0.0.1");
  udp.bind(0, "127.0.0.1");
  await Promise.all([once(http, "listening"), once(udp, "listening")]);
  const httpPort = (http.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${httpPort}`,
    httpPort,
    udpPort: udp.address().port,
    heard,
    close: async () => {
      http.closeAllConnections();
      await Promise.all([
        new Promise((resolve) => http.close(resolve)),
        new Promise<void>((resolve) => udp.close(() => resolve())),
      ]);
    },
  };
}
