import { existsSync, readFileSync, writeFileSync } from "node:fs";

// Start Parley first (npm start); it writes data/demo.json. Then: npx node examples/first-call.ts "What are your opening hours?"
const demoFile = `${process.env.DATA_DIR ?? "data"}/demo.json`;
if (!existsSync(demoFile)) throw new Error(`${demoFile} is not there: start Parley first (npm start).`);
const demo = JSON.parse(readFileSync(demoFile, "utf8"));
const response = await fetch(`${demo.baseUrl}/api/sessions/init-web-call`, {
  method: "POST",
  headers: { "X-API-Key": demo.apiKey, "Content-Type": "application/json" },
  body: JSON.stringify({ agentId: demo.agentId, firstResponse: "Hello {name}!", variables: { name: "Ada" } }),
});
const { data } = await response.json();
const socket = new WebSocket(data.websocketUrl);
socket.binaryType = "arraybuffer";
const audio: Buffer[] = [];
socket.onopen = () => socket.send(JSON.stringify({ type: "start" }));
socket.onmessage = ({ data: message }) => {
  if (message instanceof ArrayBuffer) return void audio.push(Buffer.from(message));
  const event = JSON.parse(message);
  if (event.type === "mark") socket.send(message);
  if (event.type === "metrics") console.log(`  (answered after ${event.responseMs} ms)`);
  if (event.type !== "transcript" || !event.final) return;
  console.log(`${event.role}: ${event.text}`);
  if (event.role === "user") return;
  const next = event.turn === 0 ? (process.argv[2] ?? "What are your opening hours?") : undefined;
  socket.send(JSON.stringify(next ? { type: "text", text: next } : { type: "hangup" }));
};
socket.onclose = () => {
  writeFileSync("answer.pcm", Buffer.concat(audio));
  console.log("answer.pcm: what the agent said (play -t raw -r 16k -e signed -b 16 -c 1 answer.pcm)");
};
