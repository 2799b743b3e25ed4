import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import { CALL_EVENTS_STREAM, PROJECTOR_GROUP } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { vi } from "vitest";
import type { TestControlApi } from "./control-api.ts";
import type { TestOrganization } from "./organization.ts";

export interface KeptCall {
  readonly sessionId: string;
  readonly recordingId: string;
  readonly path: string;
}

interface KeptCallOptions {
  /** The caller's words. */
  readonly said?: readonly string[];
  /** The organization's own identifier of the caller. */
  readonly identifier?: string;
  /** More events, each at a time after the call's start. */
  readonly happened?: readonly { readonly afterMs: number; readonly event: Record<string, unknown> }[];
  readonly wav?: Uint8Array;
  readonly durationMs?: number;
}

/** Leaves a call with a transcript and a recording, as a gateway would; resolves once it is recorded. */
export async function keepCall(
  api: TestControlApi,
  { orgId, keys, agentId }: TestOrganization,
  { said = ["Hello there"], identifier, happened = [], wav, durationMs = 1_000 }: KeptCallOptions = {},
): Promise<KeptCall> {
  const { body } = await api.call("POST", "/api/sessions/init-web-call", {
    key: keys.owner,
    body: { agentId, ...(identifier === undefined ? {} : { identifier }) },
  });
  const { sessionId } = body.data as { sessionId: string };
  const recordingId = newId("rec");
  const key = `${orgId}/${sessionId}/${recordingId}.wav`;
  const path = join(api.dataDir, "recordings", key);
  const bytes = wav ?? encodeWav(new Int16Array(16_000), 16_000);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  const sizeBytes = bytes.length;
  const beganMs = Date.now();
  const about = { sessionId, orgId, at: new Date(beganMs).toISOString() };
  const events = [
    { type: "call.started", nodeId: "nod_1", audio: "pcm_s16le/16000" },
    ...said.map((text, index) => ({
      type: "call.message",
      turn: index + 1,
      role: "user",
      text,
      interrupted: false,
      source: "speech",
    })),
    ...happened.map(({ afterMs, event }) => ({ ...event, at: new Date(beganMs + afterMs).toISOString() })),
    { type: "recording.ready", recordingId, key, durationMs, sizeBytes },
    { type: "call.ended", reason: "hangup", status: "completed", durationSecs: 1 },
  ];
  for (const [seq, event] of events.entries()) {
    const full = { id: newId("evt"), seq, ...about, ...event };
    await api.bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(full));
  }
  const isWritten = async () => (await api.bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP)) === 0;
  await vi.waitUntil(isWritten, 90_000);
  return { sessionId, recordingId, path };
}
