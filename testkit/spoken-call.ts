import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import type { TestControlApi } from "./control-api.ts";
import { type KeptCall, keepCall } from "./kept-call.ts";
import type { TestOrganization } from "./organization.ts";
import { flite } from "./speech.ts";

const RATE_HZ = 16_000;
export const QUESTION = "Where is my parcel with the blue lamp";
export const ANSWER = "Your parcel is on its way and comes tomorrow.";
/** When, in milliseconds after its start, the call's parts were complete. */
export const AT_MS = { question: 2_000, tool: 2_100, key: 2_500, answer: 4_500 } as const;
export const TOOL_MS = 90;
/** The greeting was talked over, and the question had a pause in it. */
const FLOOR = [
  {
    turn: 0,
    decisions: [
      { atMs: 600, decision: "duck", reason: "voice" },
      { atMs: 900, decision: "interrupt", reason: "words", words: 3 },
    ],
    dropped: 0,
  },
  {
    turn: 1,
    decisions: [
      { atMs: 1_200, decision: "wait", reason: "unfinished", afterMs: 900 },
      { atMs: 2_000, decision: "end_turn", reason: "complete", afterMs: 420, words: 8 },
    ],
    dropped: 2,
  },
];

/** A call in which the caller asked, the agent looked something up and answered, with both voices in the recording. */
export async function keepSpokenCall(api: TestControlApi, organization: TestOrganization): Promise<KeptCall> {
  const [asked, answered] = [await flite(QUESTION), await flite(ANSWER)];
  const frames = asked.length + answered.length;
  const message = { type: "call.message", turn: 1, interrupted: false };
  const metrics = {
    endOfTurnMs: 200,
    brainRequestMs: 0,
    brainFirstTokenMs: 250,
    firstClauseMs: 0,
    ttsFirstByteMs: 120,
    responseMs: 640,
  };
  const tool = { name: "find_parcel", arguments: { lamp: "blue" }, result: { found: true } };
  return keepCall(api, organization, {
    said: [],
    happened: [
      { afterMs: AT_MS.question, event: { ...message, role: "user", text: QUESTION, source: "speech" } },
      {
        afterMs: AT_MS.tool,
        event: { type: "call.tool_invoked", turn: 1, ...tool, status: "success", latencyMs: TOOL_MS },
      },
      {
        afterMs: 2_200,
        event: {
          type: "call.tokens_used",
          turn: 1,
          model: "large",
          isOwn: false,
          inputTokens: 900,
          outputTokens: 40,
        },
      },
      { afterMs: 2_300, event: { type: "call.turn_metrics", turn: 1, metrics, floor: FLOOR } },
      { afterMs: AT_MS.key, event: { type: "call.dtmf", digit: "7" } },
      { afterMs: AT_MS.answer, event: { ...message, role: "assistant", text: ANSWER, source: "brain" } },
    ],
    wav: oneAfterTheOther(asked, answered),
    durationMs: Math.round((frames / RATE_HZ) * 1_000),
  });
}

/** A stereo file: first the left side, then the right one. */
function oneAfterTheOther(left: Int16Array, right: Int16Array): Uint8Array {
  const samples = new Int16Array(2 * (left.length + right.length));
  left.forEach((sample, at) => {
    samples[2 * at] = sample;
  });
  right.forEach((sample, at) => {
    samples[2 * (left.length + at) + 1] = sample;
  });
  const wav = encodeWav(samples, RATE_HZ);
  // Its header is that of a mono file: two channels, the bytes of a second, the bytes of a frame.
  const header = new DataView(wav.buffer, wav.byteOffset);
  header.setUint16(22, 2, true);
  header.setUint32(28, RATE_HZ * 4, true);
  header.setUint16(32, 4, true);
  return wav;
}
