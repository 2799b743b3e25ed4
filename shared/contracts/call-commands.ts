import { z } from "zod";
import { TRANSFER_FAILURES } from "./transfers.ts";

/** What REST and other nodes ask of a live call, sent over the bus to the node that holds it. */
export const callCommandSchema = z.discriminatedUnion("command", [
  z.object({ command: z.literal("end"), reason: z.string() }),
  z.object({ command: z.literal("say"), text: z.string().min(1).max(4_000) }),
  /** The agent answers nothing for so long; 0: it may again. What it says now stops. */
  z.object({ command: z.literal("mute"), ms: z.number().int().min(0).max(60_000) }),
  /** The agent says this, which nobody can talk over, and answers nothing for so long: somebody is fetched. */
  z.object({
    command: z.literal("announce"),
    text: z.string().min(1).max(4_000),
    ms: z.number().int().min(1).max(60_000),
  }),
  /** Somebody is there now: the agent may speak again, and begins with its first response if it has one. */
  z.object({ command: z.literal("greet") }),
  /** The agent's last words, after which the call ends. */
  z.object({ command: z.literal("leave"), text: z.string().min(1).max(4_000), reason: z.string() }),
  /**
   * The caller is being handed over, which takes no longer than this: the agent keeps quiet. With `mediaStops` the
   * carrier takes its media away meanwhile, and may bring it back; with `rings` the caller hears a ring-back tone.
   */
  z.object({
    command: z.literal("transferring"),
    ms: z.number().int().min(1).max(180_000),
    mediaStops: z.boolean(),
    rings: z.boolean(),
  }),
  /** The caller stays with the agent after all, who is to be told with `tell`. */
  z.object({ command: z.literal("transfer_failed"), why: z.enum(TRANSFER_FAILURES), tell: z.boolean() }),
  /** Fetches a WAV file and plays it into a manual call, in the place of what is being played. */
  z.object({ command: z.literal("play"), url: z.string().max(2_048) }),
  /** Somebody takes an incoming manual call: it rings on until their softphone comes, a while longer if need be. */
  z.object({ command: z.literal("answer") }),
  /** The same with a file of the organization's library, by its key in the recordings' storage. */
  z.object({
    command: z.literal("play_track"),
    key: z
      .string()
      .max(256)
      .regex(/^tracks\/\w+\/\w+\.wav$/),
  }),
  /** How long the caller has been quiet. Answered with `quietMs`. */
  z.object({ command: z.literal("voice") }),
  /** Somebody watches: publish the call's frames for a lease. Not answered. */
  z.object({ command: z.literal("watch") }),
]);
export type CallCommand = z.infer<typeof callCommandSchema>;

export const callCommandReplySchema = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    /** Of what will be played. */
    durationMs: z.number().int().min(0).optional(),
    /** Since the caller's voice was last heard; 0 while it is on or being recognized. Absent: none was heard yet. */
    quietMs: z.number().int().min(0).optional(),
  }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);
export type CallCommandReply = z.infer<typeof callCommandReplySchema>;

/** Only the holder listens here, so "no answer" means "no holder". */
export const commandChannel = (sessionId: string): string => `call:${sessionId}:commands`;
export const COMMAND_DEADLINE_MS = 3_000;
/** By then a softphone comes that was told where to. */
export const ANSWERED_COMES_WITHIN_MS = 15_000;
/** The gateway fetches a file first. */
export const PLAY_DEADLINE_MS = 15_000;
/** Of the file itself, so that the gateway can still say what went wrong. */
export const PLAY_FETCH_MS = 10_000;
