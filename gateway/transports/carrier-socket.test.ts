import { CLOSE, type CloseReason } from "@parley/shared/contracts/close-codes.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { createTelnyxDialect } from "../../testkit/fakes/phones/telnyx.ts";
import { createTwilioDialect } from "../../testkit/fakes/phones/twilio.ts";
import type { CallerConnection } from "../call/line.ts";
import type { SendResult } from "../uws/socket-port.ts";
import { CarrierSocket } from "./carrier-socket.ts";
import { telnyxSerializer } from "./serializers/telnyx.ts";
import { twilioSerializer } from "./serializers/twilio.ts";
import type { StartAnswer } from "./web-call.ts";

const IDS = { callSid: "CA1", streamId: "MZ1" };
const FRAME = new Uint8Array(160).fill(0xff);

/** A media socket on a clock moved by hand; what the call gets and the carrier is told is written down. */
function setUp({
  wire = twilioSerializer,
  answer,
  untilOpened = async () => undefined,
}: {
  wire?: typeof twilioSerializer;
  answer?: StartAnswer;
  /** Holds up the call's opening. */
  untilOpened?: () => Promise<void>;
} = {}) {
  const clock = new ManualClock();
  const heard: string[] = [];
  const firstSamples: (number | undefined)[] = [];
  const sent: string[] = [];
  const problems: string[] = [];
  const lines: string[] = [];
  const closes: CloseReason[] = [];
  let connection: CallerConnection | undefined;
  const port = { sends: "sent" as SendResult };
  const input = {
    onAudio: (samples: Int16Array) => {
      heard.push(`${samples.length} samples`);
      firstSamples.push(samples[0]);
    },
    onMessage: (message: object) => void heard.push(JSON.stringify(message)),
    onDropped: () => void heard.push("dropped"),
  };
  const log = createLogger({
    level: "warn",
    format: "json",
    name: "test",
    destination: { write: (line: string) => void lines.push(line) },
  });
  const socket = new CarrierSocket(
    {
      sendText: (text) => {
        sent.push(text);
        return port.sends;
      },
      sendBinary: () => port.sends,
      together: (work) => work(),
      bufferedBytes: 0,
      isOpen: true,
      close: (reason) => void closes.push(reason),
    },
    {
      wire,
      clock,
      startTimeoutMs: 400,
      start: async (made) => {
        await untilOpened();
        connection = made;
        return answer ?? { ok: true, input };
      },
      onError: (code) => problems.push(code),
      onDropped: (reason) => problems.push(reason),
      log,
    },
  );
  const live = async (dialect = createTwilioDialect(IDS)): Promise<CallerConnection> => {
    for (const message of dialect.opening()) socket.onText(message);
    await expect.poll(() => connection).toBeDefined();
    await Promise.resolve();
    return connection as CallerConnection;
  };
  return { clock, socket, live, heard, firstSamples, sent, problems, lines, closes, port };
}

describe("a carrier's media socket", () => {
  it("without start is closed with 4008", () => {
    const { clock, closes } = setUp();
    clock.advance(400);
    expect(closes).toEqual([CLOSE.noStart]);
  });

  it("that does not speak the carrier's protocol is closed at once", () => {
    const { socket, closes, problems } = setUp();
    socket.onBinary(FRAME);
    expect([closes, problems]).toEqual([[CLOSE.protocol], ["malformed_message"]]);
  });

  it("hands over what came while the call was being opened, in order", async () => {
    const { socket, live, heard } = setUp();
    const dialect = createTwilioDialect(IDS);
    for (const message of dialect.opening()) socket.onText(message);
    socket.onText(dialect.media(FRAME) as string);
    socket.onText(dialect.digit("7"));
    await live({ ...dialect, opening: () => [] });
    await expect.poll(() => heard).toEqual(["320 samples", '{"type":"dtmf","digit":"7"}']);
  });

  it.each([
    ["closes as after a hang-up", 1000, false, '{"type":"hangup"}'],
    ["says that the stream is over and breaks", 1006, true, '{"type":"hangup"}'],
    ["breaks", 1006, false, "dropped"],
  ])("that %s while the call is being opened tells the call so", async (_what, code, stops, told) => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { socket, heard } = setUp({ untilOpened: () => opened });
    for (const message of createTwilioDialect(IDS).opening()) socket.onText(message);
    if (stops) socket.onText(JSON.stringify({ event: "stop", streamSid: IDS.streamId }));
    socket.onClose(code);
    open();
    await expect.poll(() => heard).toEqual([told]);
  });

  it("whose call fails to open in an unforeseen way is closed, and nothing else is harmed", async () => {
    const { socket, closes, lines } = setUp({
      untilOpened: () => Promise.reject(new Error("out of memory")),
    });
    for (const message of createTwilioDialect(IDS).opening()) socket.onText(message);
    await expect.poll(() => closes).toEqual([CLOSE.overloaded]);
    expect(lines).toEqual([expect.stringContaining("out of memory")]);
  });

  it("keeps a call through a few messages that are wrong, says so once in the log, and ends it for many", async () => {
    const { socket, live, closes, problems, lines, heard } = setUp();
    const dialect = createTwilioDialect(IDS);
    await live(dialect);
    for (let i = 0; i < 20; i++) socket.onText("{");
    socket.onText(dialect.media(FRAME) as string);
    expect([heard, closes]).toEqual([["320 samples"], []]);
    expect(lines.filter((line) => line.includes("malformed_message"))).toHaveLength(1);
    socket.onText("{");
    expect(closes).toEqual([CLOSE.protocol]);
    expect(problems).toHaveLength(21);
  });

  it("loses audio that is faster than speech, empty or endless, and messages that flood", async () => {
    const { socket, live, problems, lines } = setUp();
    const dialect = createTwilioDialect(IDS);
    await live(dialect);
    for (const bytes of [0, 160 * 100]) socket.onText(media(new Uint8Array(bytes)));
    for (let i = 0; i < 2_000; i++) socket.onText(dialect.media(FRAME) as string);
    expect(new Set(problems)).toEqual(
      new Set(["malformed_message", "audio_length", "audio_too_fast", "message_flood"]),
    );
    expect(lines).toHaveLength(4);
  });

  it("puts Telnyx's audio in order, and hears once what came twice", async () => {
    const { socket, live, firstSamples } = setUp({ wire: telnyxSerializer });
    const dialect = createTelnyxDialect(IDS, "L16");
    await live(dialect);
    const frames = [1, 2, 3, 4, 5].map((loud) => {
      const samples = new Int16Array(320).fill(loud * 256);
      return dialect.media(new Uint8Array(samples.buffer)) as string;
    });
    for (const at of [0, 2, 1, 1, 4, 3, 0]) socket.onText(frames[at] ?? "");
    expect(firstSamples).toEqual([256, 512, 768, 1024, 1280]);
  });

  it("of half a sample more than it should says so, and is heard all the same", async () => {
    const { socket, live, heard, problems } = setUp({ wire: telnyxSerializer });
    await live(createTelnyxDialect(IDS, "L16"));
    socket.onText(media(new Uint8Array(641)));
    expect([heard, problems]).toEqual([["320 samples"], []]);
  });

  it("gets marks, clears and audio of all that the call says", async () => {
    const { live, sent, port, problems } = setUp();
    const connection = await live();
    connection.send({ type: "transcript", role: "user", text: "Hi", final: true, turn: 1 });
    connection.send({ type: "mark", name: "m" });
    connection.send({ type: "clear" });
    port.sends = "dropped";
    connection.sendFrame(new Int16Array(320));
    expect(sent.map((text) => JSON.parse(text).event)).toEqual(["mark", "clear", "media"]);
    expect(problems).toEqual(["slow_reader"]);
  });

  it.each([
    [1000, '{"type":"hangup"}'],
    [1005, '{"type":"hangup"}'],
    [1006, "dropped"],
    [1001, "dropped"],
    [4003, "dropped"],
  ])("that closes with %i tells the call %s", async (code, told) => {
    const { socket, live, heard } = setUp();
    await live();
    socket.onClose(code);
    expect(heard).toEqual([told]);
  });

  it("of a call that cannot be opened is closed, and its ticket is in no log line", async () => {
    const answer = {
      ok: false,
      code: "session_ended",
      message: "It has ended.",
      close: CLOSE.ended,
    } as const;
    const { live, closes, lines } = setUp({ answer });
    await live();
    await expect.poll(() => closes).toEqual([CLOSE.ended]);
    expect(lines).toHaveLength(1);
  });
});

function media(bytes: Uint8Array): string {
  const payload = Buffer.from(bytes).toString("base64");
  return JSON.stringify({ event: "media", media: { track: "inbound", payload } });
}
