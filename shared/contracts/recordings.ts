import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { instantSchema } from "./instant.ts";
import { orgParamsSchema } from "./organizations.ts";
import { beforeId, pageLimit } from "./paging.ts";

/** Links to recordings, and how recordings are shown. */

export const recordingLinkSchema = z.object({
  id: z.string(),
  /** Works without a key until `expiresAt`. */
  url: z.string(),
  expiresAt: z.iso.datetime(),
});

export const recordingParamsSchema = z.object({ id: z.string().min(1).max(64) });
/** `wav`: available for every recording; `opus`: Ogg Opus, if the recording is stored in that format. */
const audioFormatSchema = z.enum(["wav", "opus"]).default("wav");
export type AudioFormat = z.infer<typeof audioFormatSchema>;
export const audioQuerySchema = z.object({ format: audioFormatSchema });
export const signedQuerySchema = z.object({
  /** Unix seconds. */
  expires: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  signature: z.string().min(1).max(128),
});
export const signedAudioQuerySchema = signedQuerySchema.extend(audioQuerySchema.shape);

/** For each channel (caller, agent), the minimum and maximum at 8 bits, point by point. */
export const waveformSchema = z.object({ points: z.int(), channels: z.array(z.array(z.int())) });
export type Waveform = z.infer<typeof waveformSchema>;
export const waveformResponseSchema = wrapped(waveformSchema);
export const recordingLinkResponseSchema = wrapped(recordingLinkSchema);

export const orgRecordingParamsSchema = orgParamsSchema.extend({ id: z.string().min(1).max(64) });
export const recordingDeletedResponseSchema = wrapped(z.object({ id: z.string() }));
export const contentDeletedResponseSchema = wrapped(z.object({ id: z.string(), sessionId: z.string() }));

/** `/api/orgs/{orgId}/recordings`: all filters are optional; each page says where the next one begins. */
export const recordingsQuerySchema = z.object({
  limit: pageLimit(100),
  /** `nextBefore` of the previous page. */
  before: beforeId("rec_"),
  agentId: z.string().min(1).max(64).optional(),
  /** The id of a call or of its session. */
  call: z.string().min(1).max(64).optional(),
  /** Stored at or after this time. */
  from: instantSchema.optional(),
  /** Stored before this time. */
  to: instantSchema.optional(),
});
export type RecordingsQuery = z.infer<typeof recordingsQuerySchema>;

export const recordingSchema = recordingLinkSchema.extend({
  callId: z.string(),
  sessionId: z.string(),
  /** Null for a manual call. */
  agentId: z.string().nullable(),
  /** Null also when the agent was deleted. */
  agentName: z.string().nullable(),
  channel: z.string(),
  direction: z.string(),
  fromNumber: z.string().nullable(),
  toNumber: z.string().nullable(),
  status: z.literal("ready"),
  durationSecs: z.number(),
  sizeBytes: z.int(),
  /** The end is missing: the disk was full during the call. */
  partial: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type Recording = z.infer<typeof recordingSchema>;
export const recordingResponseSchema = wrapped(recordingSchema);
export const recordingsResponseSchema = wrapped(
  z.object({ recordings: z.array(recordingSchema), nextBefore: z.string().nullable() }),
);
