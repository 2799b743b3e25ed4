import type { AddressInfo } from "node:net";
import fastify from "fastify";

/** The limit: a bare Fastify route that returns the given body, without key or database. */
const [body = "{}"] = process.argv.slice(2);
const answer: unknown = JSON.parse(body);

const app = fastify({ logger: false });
app.get("/api/v1/me", async () => answer);
await app.listen({ host: "127.0.0.1", port: 0 });
console.log(`bare ready at http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
process.once("SIGTERM", () => process.exit(0));
