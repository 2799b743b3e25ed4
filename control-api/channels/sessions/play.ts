import { PLAY_DEADLINE_MS } from "@parley/shared/contracts/call-commands.ts";
import { callPlanKey } from "@parley/shared/contracts/call-plan.ts";
import { AppError } from "@parley/shared/errors.ts";
import { findTrack } from "../../records/tracks/store.ts";
import { noSuchTrack } from "../../records/tracks/tracks.ts";
import { askCall } from "../gateways/command-call.ts";
import type { SessionDeps } from "./prepare-call.ts";
import { findOpenSession } from "./store.ts";

export interface Play {
  readonly url?: string | undefined;
  readonly trackId?: string | undefined;
}

/**
 * Queues a file to play into a manual call; returns its duration. Throws `AppError` session_ended, not_found (a track),
 * bad_request (not a manual call, or an unplayable file), blocked_address.
 */
export async function play(
  sessionId: string,
  { orgId, url, trackId }: Play & { orgId: string },
  deps: SessionDeps,
): Promise<number> {
  const ended = new AppError("session_ended", "The session does not exist or has ended already.");
  const session = await findOpenSession(deps.database, orgId, sessionId);
  if (!session) throw ended;
  if (session.channel !== "softphone")
    throw new AppError("bad_request", "Audio can only be played into manual calls.");
  const notAnswered = new AppError("bad_request", "The call is not answered yet. Play audio once it is.");
  // The plan still waits for the first socket, so no gateway would reply.
  if ((await deps.bus.keys.get(callPlanKey(sessionId))) !== undefined) throw notAnswered;
  const command =
    url === undefined ? await playTrack(orgId, trackId ?? "", deps) : ({ command: "play", url } as const);
  const reply = await askCall(sessionId, { command, deadlineMs: PLAY_DEADLINE_MS }, deps);
  if (reply?.ok) return reply.durationMs ?? 0;
  if (!reply && session.status !== "in-progress") throw notAnswered;
  if (!reply || reply.code === "session_ended") throw ended;
  const code = reply.code === "blocked_address" ? "blocked_address" : "bad_request";
  throw new AppError(code, reply.message);
}

async function playTrack(orgId: string, trackId: string, { database }: SessionDeps) {
  const found = await findTrack(database, orgId, trackId);
  if (!found) throw noSuchTrack(trackId);
  return { command: "play_track", key: found.key } as const;
}
