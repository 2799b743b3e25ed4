import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";

// A shop with the chat widget. Start Parley first (npm start). Then: npx node examples/web-chat/server.ts
const demoFile = `${process.env.DATA_DIR ?? "data"}/demo.json`;
if (!existsSync(demoFile)) throw new Error(`${demoFile} is not there: start Parley first (npm start).`);
const { baseUrl, apiKey, agentId } = JSON.parse(readFileSync(demoFile, "utf8"));
const page = readFileSync(new URL("page.html", import.meta.url), "utf8")
  .replaceAll("PARLEY_URL", baseUrl)
  .replaceAll("AGENT_ID", agentId);

const server = createServer(async (request, response) => {
  if (request.method === "POST" && request.url === "/chat-token") {
    // The API key stays here. Say who is signed in at your shop; what a visitor sends is not to be believed.
    const minted = await fetch(`${baseUrl}/api/client-tokens`, {
      method: "POST",
      headers: { "X-API-Key": apiKey, "Content-Type": "application/json" },
      body: JSON.stringify({ agentId, mode: "chat", allowedOrigins: [`http://${request.headers.host}`] }),
    });
    const { data } = await minted.json();
    response.writeHead(minted.ok ? 200 : 502, {
      "content-type": "application/json",
      "cache-control": "no-store",
    });
    response.end(JSON.stringify(minted.ok ? data : {}));
    return;
  }
  // All that the widget needs of a page's policy: its script, and where it sends messages.
  const policy = `default-src 'self'; script-src ${baseUrl}; connect-src 'self' ${baseUrl}`;
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy });
  response.end(page);
});
server.listen(Number(process.env.PORT ?? 4000), "127.0.0.1", () => {
  const address = server.address();
  console.log(`The shop is at http://127.0.0.1:${typeof address === "object" ? address?.port : address}/`);
});
