import { buffer } from "node:stream/consumers";
import { readPlayableWav } from "@parley/media/wav/playable-wav.ts";
import { createPlayback, type Playback } from "@parley/media/wav/playback.ts";
import type { WavAudio } from "@parley/media/wav/wav-reader.ts";
import { TRACK_MAX_BYTES } from "@parley/shared/contracts/tracks.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../../database/open.ts";
import type { StoredFiles } from "../../../records/recordings/stored-files.ts";
import { findTrack, newestTrack } from "../../../records/tracks/store.ts";
import { noSuchTrack } from "../../../records/tracks/tracks.ts";
import { findLeg } from "../leg-store.ts";

/** A track as a phone speaks it, 20 ms of 16 kHz at a time. The holder must stop it. */
export type SpokenTrack = Pick<Playback, "next" | "stop">;

/** Opens the organization's track with this id, or its newest track if no id is given. */
export type OpenTrack = (of: { sessionId: string; trackId?: string | undefined }) => Promise<SpokenTrack>;

interface Held {
  readonly wav: Promise<WavAudio>;
  phones: number;
}

/**
 * Opens library tracks of the organization whose call it is. Phones that play the same track at once share it: hundreds
 * of phones live in one process, and a track may be ten megabytes.
 */
export class SpokenTracks {
  readonly #deps: { readonly database: Database; readonly recordings: StoredFiles };
  readonly #held = new Map<string, Held>();

  constructor(deps: { readonly database: Database; readonly recordings: StoredFiles }) {
    this.#deps = deps;
  }

  /**
   * Throws `AppError` not_found (no track), validation_failed, unsupported_media_type (no WAV), and as storage does.
   */
  readonly open: OpenTrack = async ({ sessionId, trackId }) => {
    const key = await this.#keyOf(sessionId, trackId);
    const held = this.#hold(key);
    try {
      const playback = await createPlayback(await held.wav);
      const stop = (): void => {
        playback.stop();
        this.#release(key, held);
      };
      return { next: () => playback.next(), stop };
    } catch (error) {
      this.#release(key, held);
      throw error;
    }
  };

  async #keyOf(sessionId: string, trackId: string | undefined): Promise<string> {
    const { database } = this.#deps;
    const orgId = (await findLeg(database, sessionId))?.orgId ?? "";
    const found =
      trackId === undefined ? await newestTrack(database, orgId) : await findTrack(database, orgId, trackId);
    if (found) return found.key;
    if (trackId !== undefined) throw noSuchTrack(trackId);
    throw new AppError("not_found", "The organization has no tracks. Upload a WAV file on the Tracks page.");
  }

  #hold(key: string): Held {
    const held = this.#held.get(key) ?? { wav: this.#read(key), phones: 0 };
    held.phones += 1;
    this.#held.set(key, held);
    return held;
  }

  #release(key: string, held: Held): void {
    held.phones -= 1;
    if (held.phones === 0) this.#held.delete(key);
  }

  async #read(key: string): Promise<WavAudio> {
    const range = { start: 0, end: TRACK_MAX_BYTES - 1 };
    return readPlayableWav(await buffer(await this.#deps.recordings.open(key, range)));
  }
}
