import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const SAID = "I would like to book a table for two people tomorrow evening.";
/** A quick recognizer: its delay affects all turns alike. */
const ANSWERS_AFTER_MS = 20;

/** A recognizer that costs nothing: it returns the same finished sentence for any speech. */
export async function startRecognizer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => {
      setTimeout(() => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: SAID }));
      }, ANSWERS_AFTER_MS);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
