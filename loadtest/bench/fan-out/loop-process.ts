import type { AddressInfo } from "node:net";
import { Redis } from "ioredis";
import { WebSocketServer } from "ws";

/** The peer: what most people would write. `ws`, a Redis subscription, and a loop over all connections. */
const [redisUrl = "", channel = ""] = process.argv.slice(2);

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
const redis = new Redis(redisUrl);
redis.on("message", (_channel, frame) => {
  for (const client of server.clients) client.send(frame);
});
await redis.subscribe(channel);
console.log(`loop ready at ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
process.once("SIGTERM", () => process.exit(0));
