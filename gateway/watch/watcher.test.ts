import { describe, expect, it } from "vitest";
import type { SocketPort } from "../uws/socket-port.ts";
import { Watcher } from "./watcher.ts";

/** A reader whose buffer the test fills and empties. */
class SlowReader implements SocketPort {
  readonly sent: string[] = [];
  bufferedBytes = 0;
  readonly isOpen = true;

  sendText(json: string): "sent" {
    this.sent.push(json);
    this.bufferedBytes += json.length;
    return "sent";
  }

  together(work: () => void): void {
    work();
  }

  sendBinary(): "sent" {
    return "sent";
  }

  close(): void {
    this.bufferedBytes = 0;
  }
}

function setUp() {
  const socket = new SlowReader();
  let dropped = 0;
  const watcher = new Watcher({
    sessionId: "ses_1",
    socket,
    bufferBytes: 100,
    onDropped: (frames) => {
      dropped += frames;
    },
  });
  const frame = (n: number): string => JSON.stringify({ topic: "call.turn", n });
  return { socket, watcher, frame, dropped: () => dropped };
}

describe("a watcher", () => {
  it("gets every frame while it keeps up", () => {
    const { socket, watcher, frame } = setUp();
    for (let n = 0; n < 50; n++) {
      watcher.send(frame(n));
      socket.bufferedBytes = 0;
    }
    expect(socket.sent).toHaveLength(50);
  });

  it("that reads too slowly gets the newest frames and the number of those it missed", () => {
    const { socket, watcher, frame, dropped } = setUp();
    for (let n = 0; n < 1_000; n++) watcher.send(frame(n));
    const before = socket.sent.length;
    expect(before).toBeLessThan(10);
    while (socket.bufferedBytes > 0) {
      socket.bufferedBytes = 0;
      watcher.catchUp();
    }
    const after = socket.sent.slice(before).map((text) => JSON.parse(text));
    expect(after[0]).toMatchObject({ topic: "stream.gap", data: { dropped: dropped() } });
    expect(after.at(-1)).toMatchObject({ n: 999 });
    expect(after.length - 1 + before + dropped()).toBe(1_000);
  });

  it("that reads too slowly is still told of the call's end, after the newest frames", () => {
    const { socket, watcher, frame, dropped } = setUp();
    for (let n = 0; n < 1_000; n++) watcher.send(frame(n));
    const before = socket.sent.length;
    watcher.finish('{"topic":"call.ended"}');
    const after = socket.sent.slice(before).map((text) => JSON.parse(text));
    expect(after[0]).toMatchObject({ topic: "stream.gap", data: { dropped: dropped() } });
    expect(after.at(-2)).toMatchObject({ n: 999 });
    expect(after.at(-1)).toEqual({ topic: "call.ended" });
    expect(after.length - 2 + before + dropped()).toBe(1_000);
  });
});
