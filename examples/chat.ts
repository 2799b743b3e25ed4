import { existsSync, readFileSync } from "node:fs";

// A text chat with the demo's agent. Start Parley first (npm start). Then: npx node examples/chat.ts "I want to book a table" "For two" "Goodbye"
const demoFile = `${process.env.DATA_DIR ?? "data"}/demo.json`;
if (!existsSync(demoFile)) throw new Error(`${demoFile} is not there: start Parley first (npm start).`);
const demo = JSON.parse(readFileSync(demoFile, "utf8"));
const messages = process.argv.slice(2);
let sessionId: string | undefined;
for (const input of messages.length > 0 ? messages : ["What are your opening hours?"]) {
  const response = await fetch(`${demo.baseUrl}/api/v1/chat`, {
    method: "POST",
    headers: { "X-API-Key": demo.apiKey, "Content-Type": "application/json" },
    body: JSON.stringify({ agentId: demo.agentId, identifier: "customer-7", input, sessionId }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${answer.error}`);
  console.log(`user: ${input}\nassistant: ${answer.reply}`);
  // After the agent's goodbye the next message begins another chat.
  sessionId = answer.ended ? undefined : answer.sessionId;
}
