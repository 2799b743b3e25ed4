import { createWriteStream } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVad } from "@parley/media/vad/webrtc-vad.ts";
import { Redis } from "ioredis";
import { type WebSocket, WebSocketServer } from "ws";

/**
 * The peer: the voice gateway one writes in an afternoon. `ws`, one timer per call, fresh buffers, JSON to
 * Redis for every event; same voice detector and stereo recording on disk. Written fairly: no busy work,
 * nothing done twice, bytes handled by Buffer's own methods.
 */
const FRAME_BYTES = 640;
const FRAME_MS = 20;
/** The agent skips every fourth frame, like the limit's echo. */
const AGENT_PAUSE_EVERY = 4;

const [redisUrl = ""] = process.argv.slice(2);
const redis = new Redis(redisUrl);
const directory = await mkdtemp(join(tmpdir(), "parley-afternoon-"));
const agentAudio = Buffer.alloc(FRAME_BYTES * 50, 1);
let calls = 0;

async function onCall(socket: WebSocket): Promise<void> {
  const id = ++calls;
  const vad = await createVad(2);
  const recording = createWriteStream(join(directory, `${id}.pcm`));
  const heard: Buffer[] = [];
  let wasVoice = false;
  let tick = 0;

  socket.on("message", (data: Buffer, isBinary) => {
    if (!isBinary) {
      if (data.includes("hangup")) socket.close(1000);
      else socket.send(JSON.stringify({ type: "ready", recognition: "server" }));
      return;
    }
    heard.push(data);
    const copy = data.buffer.slice(data.byteOffset, data.byteOffset + data.length);
    const isVoice = vad.isVoice(new Int16Array(copy));
    if (isVoice !== wasVoice) {
      redis.publish(`call:${id}`, JSON.stringify({ topic: "voice", isVoice })).catch(() => undefined);
    }
    wasVoice = isVoice;
  });
  const timer = setInterval(() => {
    tick += 1;
    const at = (tick % 50) * FRAME_BYTES;
    const speaks = tick % AGENT_PAUSE_EVERY !== 0;
    const agent = speaks ? Buffer.from(agentAudio.subarray(at, at + FRAME_BYTES)) : Buffer.alloc(FRAME_BYTES);
    if (speaks) socket.send(agent);
    recording.write(stereo(heard.shift() ?? Buffer.alloc(FRAME_BYTES), agent));
  }, FRAME_MS);
  socket.on("close", () => {
    clearInterval(timer);
    vad.free();
    recording.end();
  });
}

function stereo(left: Buffer, right: Buffer): Buffer {
  const both = Buffer.alloc(left.length * 2);
  for (let at = 0; at < left.length; at += 2) {
    both.writeInt16LE(left.readInt16LE(at), at * 2);
    both.writeInt16LE(right.readInt16LE(at), at * 2 + 2);
  }
  return both;
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false }, () => {
  console.log(`afternoon ready at ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
server.on("connection", (socket) => void onCall(socket));
process.once("SIGTERM", () => process.exit(0));
