/** How a receiver makes sure that a delivery is ours; a test runs both. */
export const NODE_SNIPPET = `import { createServer } from "node:http";
import { verifyWebhook } from "@parley/platform/webhooks/verify-webhook.ts";

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const { deliveryId, event, payload } = verifyWebhook({
      headers: request.headers,
      body: Buffer.concat(chunks), // the raw bytes, before any parsing
      secret: process.env.SIGNING_SECRET,
    });
    response.writeHead(200).end(); // answer first, work later
    console.log(event, deliveryId, payload);
  } catch (error) {
    response.writeHead(400).end(error.message);
  }
});
server.listen(process.env.PORT ?? 3000);
`;

/** The header `X-Service-Signature` in $SIGNATURE, the raw body on standard input. */
export const OPENSSL_SNIPPET = `# $SIGNATURE: the header X-Service-Signature; standard input: the raw body
expected="sha256=$(openssl dgst -sha256 -hmac "$SIGNING_SECRET" -hex | sed 's/^.* //')"
[ "$expected" = "$SIGNATURE" ] && echo "from Parley, unchanged"
`;
