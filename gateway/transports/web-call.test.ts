import { CLOSE, type CloseReason } from "@parley/shared/contracts/close-codes.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { WebCallTransport } from "./web-call.ts";

/** A call socket whose call opens when the test says so; what the call gets is written down. */
function setUp({ onMessage = () => undefined }: { onMessage?: () => void } = {}) {
  const heard: string[] = [];
  const lines: string[] = [];
  const closes: CloseReason[] = [];
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const input = {
    onAudio: (samples: Int16Array) => void heard.push(`${samples.length} samples`),
    onMessage: (message: object) => {
      onMessage();
      heard.push(JSON.stringify(message));
    },
    onDropped: () => void heard.push("dropped"),
  };
  const socket = new WebCallTransport(
    {
      sendText: () => "sent",
      sendBinary: () => "sent",
      together: (work) => work(),
      bufferedBytes: 0,
      isOpen: true,
      close: (reason) => void closes.push(reason),
    },
    {
      clock: new ManualClock(),
      startTimeoutMs: 400,
      start: async () => {
        await opened;
        return { ok: true, input };
      },
      onError: () => undefined,
      onDropped: () => undefined,
      log: createLogger({
        level: "warn",
        format: "json",
        name: "test",
        destination: { write: (line: string) => void lines.push(line) },
      }),
    },
  );
  return { socket, open: () => open(), heard, lines, closes };
}

describe("a call socket", () => {
  it("that closes while its call is being opened loses neither what was typed nor a hang-up", async () => {
    const { socket, open, heard } = setUp();
    socket.onText('{"type":"start"}');
    socket.onText('{"type":"text","text":"Cancel my order"}');
    socket.onText('{"type":"ping","id":1}');
    socket.onText("{");
    socket.onText('{"type":"hangup"}');
    socket.onBinary(new Uint8Array(640));
    socket.onClose();
    open();
    await expect
      .poll(() => heard)
      .toEqual(['{"type":"text","text":"Cancel my order"}', '{"type":"hangup"}', "dropped"]);
  });

  it("whose call fails at what waited for it is closed, and nothing else is harmed", async () => {
    const { socket, open, lines, closes } = setUp({
      onMessage: () => {
        throw new Error("a fault of ours");
      },
    });
    socket.onText('{"type":"start"}');
    socket.onText('{"type":"hangup"}');
    open();
    await expect.poll(() => closes).toEqual([CLOSE.overloaded]);
    expect(lines).toEqual([expect.stringContaining("a fault of ours")]);
  });
});
