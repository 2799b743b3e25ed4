import { readPlayableWav } from "@parley/media/wav/playable-wav.ts";
import { createPlayback, type Playback } from "@parley/media/wav/playback.ts";
import { PLAY_FETCH_MS } from "@parley/shared/contracts/call-commands.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import type { ReadTrack } from "./track-files.ts";

/** Slightly more than ten minutes of 16 kHz mono. */
const MAX_WAV_BYTES = 20 * 1024 * 1024;

/** Loads audio to play, from addresses that customers give or from the organization's library. */
export interface WavSource {
  /** Throws `AppError` bad_request or blocked_address, worded for the person who gave the address. */
  fetch(url: string, orgId: string): Promise<Playback>;
  /** Reads a track by its key. Throws `AppError` bad_request. */
  read(key: string): Promise<Playback>;
}

export function createWavSource(dispatchers: Dispatchers, readTrack: ReadTrack): WavSource {
  return {
    fetch: async (url, orgId) => {
      try {
        const { status, body } = await guardedRequest(dispatchers.of(orgId), url, {
          method: "GET",
          headers: { accept: "audio/wav" },
          timeoutMs: PLAY_FETCH_MS,
          maxResponseBytes: MAX_WAV_BYTES,
        });
        if (status !== 200) throw refused(`it answers ${status} in the place of a WAV file`);
        return await createPlayback(readPlayableWav(body));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === "bad_request" || error.code === "blocked_address") throw error;
        throw refused(error.message);
      }
    },
    read: async (key) => {
      try {
        return await createPlayback(readPlayableWav(await readTrack(key)));
      } catch (error) {
        throw new AppError(
          "bad_request",
          "The track cannot be read right now. Try again, or upload it again.",
          {
            cause: error,
          },
        );
      }
    },
  };
}

function refused(why: string): AppError {
  return new AppError("bad_request", `The url cannot be played: ${why}`);
}
