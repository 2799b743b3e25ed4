import { createServer } from "node:http";

/** The smallest brain: it says back what it heard. `npx node examples/brain/minimal.ts`, then DEMO_BRAIN_URL=http://127.0.0.1:9000 npm start */
const server = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const { query } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  res.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
  for (const word of `You said: ${query}`.split(/(?<= )/)) {
    res.write(`data: ${JSON.stringify(word)}\n\n`);
  }
  res.end("data: [DONE]\n\n");
});

server.listen(Number(process.env.PORT ?? 9000), "127.0.0.1", () => {
  const address = server.address();
  console.log(`a brain listens on port ${typeof address === "object" ? address?.port : address}`);
});
