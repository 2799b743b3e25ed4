import { createServer } from "node:http";
import { verifyWebhook } from "@parley/platform/webhooks/verify-webhook.ts";

/** Receives webhooks: SIGNING_SECRET=whsec_… npx node examples/webhooks/receiver.ts, then register its address. */
const secret = process.env.SIGNING_SECRET ?? "";
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const { deliveryId, event, payload } = verifyWebhook({
      headers: request.headers,
      body: Buffer.concat(chunks),
      secret,
    });
    // Answer first, work later: Parley waits for 30 s, and sends again what it got no answer to.
    response.writeHead(200).end();
    if (seen.has(deliveryId)) return;
    seen.add(deliveryId);
    console.log(event, JSON.stringify(payload));
  } catch (error) {
    response.writeHead(400).end(error instanceof Error ? error.message : "not a webhook");
  }
});

server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  const address = server.address();
  console.log(`receives on port ${typeof address === "object" ? address?.port : address}`);
});
