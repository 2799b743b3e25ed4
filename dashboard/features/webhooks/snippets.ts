/** Snippets a receiver verifies deliveries with; a test runs each of them as copied. */

/** Forwards deliveries to a local port: nothing needs to be reachable from outside. */
export const LISTEN_COMMAND = "npx parley listen --forward http://localhost:3000/hook";

export const NODE_SNIPPET = `// npm install standardwebhooks
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.SIGNING_SECRET);

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString(); // the raw body, before any parsing
  try {
    const payload = webhook.verify(body, request.headers);
    response.writeHead(200).end(); // answer first, work later
    console.log(payload.event, request.headers["webhook-id"], payload);
  } catch (error) {
    response.writeHead(400).end(error.message);
  }
});
server.listen(process.env.PORT ?? 3000);
`;

export const PYTHON_SNIPPET = `# pip install standardwebhooks
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["SIGNING_SECRET"])

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))  # the raw body
        try:
            payload = webhook.verify(body, dict(self.headers))
        except WebhookVerificationError:
            self.send_error(400)
            return
        self.send_response(200)  # answer first, work later
        self.end_headers()
        print(payload["event"], self.headers["webhook-id"], payload, flush=True)

HTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3000))), Receiver).serve_forever()
`;

/** Expects the header `X-Service-Signature` in $SIGNATURE and the raw body on standard input. */
export const OPENSSL_SNIPPET = `# $SIGNATURE: the header X-Service-Signature; standard input: the raw body
expected="sha256=$(openssl dgst -sha256 -hmac "$SIGNING_SECRET" -hex | sed 's/^.* //')"
[ "$expected" = "$SIGNATURE" ] && echo "verified"
`;
