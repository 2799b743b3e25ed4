import { once } from "node:events";
import { WebSocket } from "ws";
import type { Utterance } from "../../callers/speech.ts";
import { pause } from "../harness/pause.ts";

const FRAME_MS = 20;
/** Sent at the pace of speech; fewer frames than any barge-in needs. */
const FIRST_FRAMES = 9;
/**
 * Silent frames between further frames, so that it is clear which one a `clear` answers. If audio stopped
 * instead, the gateway would briefly hold the next frames, as after a stall.
 */
const SILENT_FRAMES = 5;
const MOST_FRAMES = 60;
/** How much of the answer plays first. */
const LISTEN_MS = 600;

/** Interrupts an answer once; returns the ms from the triggering frame to `clear`. */
export async function interrupt(url: string, { frames }: Utterance): Promise<number | undefined> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const speaks = new Promise<void>((resolve) => {
    socket.on("message", (_data, isBinary) => isBinary && resolve());
  });
  let clearedAtMs: number | undefined;
  socket.on("message", (data, isBinary) => {
    if (!isBinary && data.toString().includes('"clear"')) clearedAtMs ??= performance.now();
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "start" }));
  await Promise.race([speaks, pause(5_000)]);
  await pause(LISTEN_MS);
  let sentAtMs = 0;
  for (let i = 0; i < Math.min(MOST_FRAMES, frames.length) && clearedAtMs === undefined; i++) {
    sentAtMs = performance.now();
    socket.send(frames[i] as Buffer);
    await pause(FRAME_MS);
    for (let silent = 0; i >= FIRST_FRAMES && silent < SILENT_FRAMES && clearedAtMs === undefined; silent++) {
      socket.send(Buffer.alloc(frames[i]?.length ?? 0));
      await pause(FRAME_MS);
    }
  }
  socket.send(JSON.stringify({ type: "hangup" }));
  await Promise.race([once(socket, "close"), pause(2_000)]);
  socket.terminate();
  return clearedAtMs === undefined ? undefined : clearedAtMs - sentAtMs;
}
