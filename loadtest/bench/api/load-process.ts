import { connect, type Socket } from "node:net";
import { z } from "zod";

/**
 * Sends one request repeatedly over keep-alive connections, each after the previous answer, and prints the
 * count. Uses plain sockets, so that the load costs less than the server.
 */
const orderSchema = z.object({
  url: z.string(),
  method: z.enum(["GET", "POST"]),
  apiKey: z.string(),
  body: z.string(),
  connections: z.number(),
  seconds: z.number(),
});
const order = orderSchema.parse(JSON.parse(process.argv[2] ?? "{}"));
const url = new URL(order.url);
const request = [
  `${order.method} ${url.pathname} HTTP/1.1`,
  `Host: ${url.host}`,
  `X-API-Key: ${order.apiKey}`,
  ...(order.body === ""
    ? []
    : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(order.body)}`]),
  "",
  order.body,
].join("\r\n");
let answered = 0;

function open(): Socket {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  socket.setEncoding("latin1");
  let answer = "";
  socket.on("data", (text: string) => {
    answer += text;
    const bodyAt = answer.indexOf("\r\n\r\n") + 4;
    if (bodyAt < 4) return;
    if (!answer.startsWith("HTTP/1.1 200")) throw new Error(`refused: ${answer}`);
    const length = Number(/content-length: (\d+)/i.exec(answer)?.[1]);
    if (answer.length < bodyAt + length) return;
    answer = "";
    answered += 1;
    socket.write(request);
  });
  socket.write(request);
  return socket;
}

const sockets = Array.from({ length: order.connections }, open);
setTimeout(() => {
  for (const socket of sockets) socket.destroy();
  console.log(`answered ${answered}`);
  process.exit(0);
}, order.seconds * 1_000);
