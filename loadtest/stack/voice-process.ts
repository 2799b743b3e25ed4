import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PCM_RATE_HZ } from "@parley/media/pcm.ts";

/**
 * A voice that costs next to nothing, so that a load test measures the gateway instead of speech synthesis:
 * Deepgram's `POST /v1/speak` (linear16, 16 kHz), answered with a tone as long as the text would take.
 */

/** Approximate speech time per character. */
const MS_PER_CHAR = 65;
const CHUNK_BYTES = 16 * 1024;
const TONE_HZ = 220;
const TONE_AMPLITUDE = 6_000;
const LONGEST_MS = 20_000;

const tone = new Int16Array((LONGEST_MS * PCM_RATE_HZ) / 1_000).map((_, i) =>
  Math.round(TONE_AMPLITUDE * Math.sin((2 * Math.PI * TONE_HZ * i) / PCM_RATE_HZ)),
);
const audio = Buffer.from(tone.buffer);

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (chunk: string) => {
    body += chunk;
  });
  request.once("end", () => {
    const { text } = JSON.parse(body) as { text: string };
    const ms = Math.min(text.length * MS_PER_CHAR, LONGEST_MS);
    speak(response, audio.subarray(0, 2 * Math.floor((ms * PCM_RATE_HZ) / 1_000)));
  });
});

function speak(response: ServerResponse, bytes: Buffer): void {
  response.writeHead(200, { "content-type": "audio/l16;rate=16000;channels=1" });
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) response.write(bytes.subarray(at, at + CHUNK_BYTES));
  response.end();
}

server.listen(0, "127.0.0.1", () => {
  console.log(`voice ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once("SIGTERM", () => process.exit(0));
