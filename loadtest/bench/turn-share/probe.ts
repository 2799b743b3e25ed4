import { once } from "node:events";
import { WebSocket } from "ws";
import { pause } from "../harness/pause.ts";
import type { World } from "./world.ts";

/** Pause after an answer's first audio, while it plays to its end. */
const BETWEEN_TURNS_MS = 2_600;
const NO_ANSWER_MS = 5_000;

/** A call that repeatedly asks by text and notes when the answer's first audio arrives. */
export async function probeTurns(
  url: string,
  { world, turns }: { world: World; turns: number },
): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "start" }));
  let current: number | undefined;
  socket.on("message", (_data, isBinary) => {
    if (!isBinary || current === undefined) return;
    world.heard(current);
    current = undefined;
  });
  await pause(200);
  for (let turn = 0; turn < turns; turn++) {
    const { id, query } = world.ask();
    current = id;
    socket.send(JSON.stringify({ type: "text", text: query }));
    const waitsUntilMs = performance.now() + NO_ANSWER_MS;
    await pause(BETWEEN_TURNS_MS);
    while (current !== undefined && performance.now() < waitsUntilMs) await pause(100);
    current = undefined;
  }
  socket.send(JSON.stringify({ type: "hangup" }));
  await Promise.race([once(socket, "close"), pause(NO_ANSWER_MS)]);
  socket.terminate();
}
