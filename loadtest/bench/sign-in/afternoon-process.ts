import { scryptSync, timingSafeEqual } from "node:crypto";
import { createMetrics } from "@parley/shared/metrics.ts";
import fastify from "fastify";

/** The login one writes in an afternoon: hashes the password in the request handler. */
const password = process.argv[2] ?? "";
const salt = "a salt of the bench";
/** About as expensive as argon2id with 19 MiB and two passes. */
const SCRYPT = { N: 8_192, r: 8, p: 1 };
const stored = scryptSync(password, salt, 32, SCRYPT);

const metrics = createMetrics();
const app = fastify();
app.post<{ Body: { password: string } }>("/api/auth/login", async (request, reply) => {
  const isRight = timingSafeEqual(scryptSync(request.body.password, salt, 32, SCRYPT), stored);
  return reply.status(isRight ? 200 : 401).send({ success: isRight });
});
app.get("/metrics", async () => metrics.text());
console.log(`ready at ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
