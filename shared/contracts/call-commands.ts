import { z } from "zod";
import { TRANSFER_FAILURES } from "./transfers.ts";

/** Commands from REST and other nodes to a live call, sent over the bus to the node that holds it. */
export const callCommandSchema = z.discriminatedUnion("command", [
  z.object({ command: z.literal("end"), reason: z.string() }),
  z.object({ command: z.literal("say"), text: z.string().min(1).max(4_000) }),
  /** Mutes the agent for this long and stops its current speech; 0 unmutes. */
  z.object({ command: z.literal("mute"), ms: z.number().int().min(0).max(60_000) }),
  /** The agent says this text, which cannot be interrupted, and stays mute for this long: someone is being fetched. */
  z.object({
    command: z.literal("announce"),
    text: z.string().min(1).max(4_000),
    ms: z.number().int().min(1).max(60_000),
  }),
  /** Someone is there now: the agent may speak again, starting with its first response if it has one. */
  z.object({ command: z.literal("greet") }),
  /** Speaks the agent's last words, then ends the call. */
  z.object({ command: z.literal("leave"), text: z.string().min(1).max(4_000), reason: z.string() }),
  /**
   * A transfer is under way and takes at most this long: the agent stays silent. With `mediaStops` the carrier
   * suspends its media meanwhile and may resume it; with `rings` the caller hears a ringback tone.
   */
  z.object({
    command: z.literal("transferring"),
    ms: z.number().int().min(1).max(180_000),
    mediaStops: z.boolean(),
    rings: z.boolean(),
  }),
  /** The transfer failed and the caller stays with the agent, which is told if `tell` is set. */
  z.object({ command: z.literal("transfer_failed"), why: z.enum(TRANSFER_FAILURES), tell: z.boolean() }),
  /** Fetches a WAV file and plays it into a manual call, replacing whatever is playing. */
  z.object({ command: z.literal("play"), url: z.string().max(2_048) }),
  /**
   * Someone answers an incoming manual call: it keeps ringing until their softphone connects, a while longer if need
   * be.
   */
  z.object({ command: z.literal("answer") }),
  /** Plays a file of the organization's library, by its key in the recordings' storage, into a manual call. */
  z.object({
    command: z.literal("play_track"),
    key: z
      .string()
      .max(256)
      .regex(/^tracks\/\w+\/\w+\.wav$/),
  }),
  /** Asks how long the caller has been quiet. Answered with `quietMs`. */
  z.object({ command: z.literal("voice") }),
  /** Someone watches: publish the call's frames for the length of a lease. Not answered. */
  z.object({ command: z.literal("watch") }),
]);
export type CallCommand = z.infer<typeof callCommandSchema>;

export const callCommandReplySchema = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    /** Duration of what will be played. */
    durationMs: z.number().int().min(0).optional(),
    /** Time since the caller's voice was last heard; 0 during voice or recognition. Absent: none was heard yet. */
    quietMs: z.number().int().min(0).optional(),
  }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);
export type CallCommandReply = z.infer<typeof callCommandReplySchema>;

/** Only the holder listens here, so "no answer" means "no holder". */
export const commandChannel = (sessionId: string): string => `call:${sessionId}:commands`;
export const COMMAND_DEADLINE_MS = 3_000;
/** Time limit for the softphone to connect once it was told where. */
export const ANSWERED_COMES_WITHIN_MS = 15_000;
/** Deadline of `play`; the gateway fetches a file first. */
export const PLAY_DEADLINE_MS = 15_000;
/** Deadline of the file fetch itself; shorter, so that the gateway can still report what went wrong. */
export const PLAY_FETCH_MS = 10_000;
