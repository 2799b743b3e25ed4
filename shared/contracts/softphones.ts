import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { e164Schema, manualCallSchema } from "./telephony.ts";

/** Where a softphone connects to its owner's manual call, either taken over or answered. */
const deviceSessionSchema = manualCallSchema.omit({ callSid: true });
export type DeviceSession = z.infer<typeof deviceSessionSchema>;
export const softphoneSeatResponseSchema = wrapped(deviceSessionSchema);
export const declinedResponseSchema = wrapped(
  z.object({ sessionId: z.string(), status: z.literal("declined") }),
);

/** Time limit for anyone to answer a manual call. */
export const MEMBER_RINGS_MS = 45_000;

/** One stream is enough for a page that shows what changes and rings, too: browsers open few connections. */
export const incomingCallsQuerySchema = z.object({ changes: z.enum(["true", "false"]).optional() });

/** The events of `GET /api/me/incoming-calls`, by name. With `changes`, those of `changes.ts` come as well. */
export const incomingCallEvents = {
  /** Someone calls; sent again to any device that connects while it rings. */
  ringing: z.object({
    sessionId: z.string(),
    callId: z.string(),
    fromNumber: z.string(),
    toNumber: z.string(),
    /** When it began to ring. */
    at: z.iso.datetime(),
  }),
  /** The ringing stopped; sent to every device. */
  gone: z.object({
    sessionId: z.string(),
    reason: z.enum(["answered", "declined", "hung_up", "timed_out"]),
  }),
} as const;
export type RingingCall = z.infer<(typeof incomingCallEvents)["ringing"]>;
export type GoneCall = z.infer<(typeof incomingCallEvents)["gone"]>;

const MAX_STEPS = 20;
const waitMs = z.int().min(0).max(120_000);

/** A step of the simulated caller after the call was answered. */
const loopbackStepSchema = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("say"), text: z.string().trim().min(1).max(500) }),
  /** Waits until the far end has spoken and then been quiet for `quietMs`; at most `withinMs`. */
  z.strictObject({
    do: z.literal("listen"),
    quietMs: waitMs.default(700),
    withinMs: waitMs.default(20_000),
  }),
  /** Plays one of the organization's tracks; the newest when none is named. */
  z.strictObject({ do: z.literal("play"), trackId: z.string().min(1).max(64).optional() }),
  z.strictObject({
    do: z.literal("press"),
    keys: z.string().regex(/^[0-9A-D*#]{1,32}$/, "keys: 0-9, A-D, * and #"),
  }),
  z.strictObject({ do: z.literal("wait"), ms: waitMs }),
  z.strictObject({ do: z.literal("beep") }),
  z.strictObject({ do: z.literal("hangUp") }),
]);

/** Calls one of the organization's numbers from a simulated phone. */
export const loopbackCallSchema = z.strictObject({
  /** One of the organization's numbers on the loopback carrier. */
  to: e164Schema,
  from: e164Schema.default("+12025550100"),
  /** Absent: behaves like the phone behind `from` (docs/phones.md#the-loopback-numbers). */
  script: z.array(loopbackStepSchema).max(MAX_STEPS).optional(),
});
export type LoopbackCallRequest = z.infer<typeof loopbackCallSchema>;
export const loopbackCallResponseSchema = wrapped(z.object({ callSid: z.string(), sessionId: z.string() }));
