import { PCM_RATE_HZ } from "@parley/media/pcm.ts";
import { createResampler } from "@parley/media/resample/resampler.ts";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import { PLAY_FETCH_MS } from "@parley/shared/contracts/call-commands.ts";
import { AppError } from "@parley/shared/errors.ts";
import { createGuardedDispatcher } from "@parley/shared/net/guarded-dispatcher.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import { Playback } from "./playback.ts";

const CONNECT_TIMEOUT_MS = 3_000;
const CONNECTIONS_PER_HOST = 16;
const KEEP_ALIVE_MS = 10_000;
/** Ten minutes of 16 kHz mono, and some. */
const MAX_WAV_BYTES = 20 * 1024 * 1024;
/** Rates no sound card has would only cost. */
const RATES_HZ = { min: 4_000, max: 192_000 } as const;

/** Fetches what is to be played, from addresses that customers give. */
export interface WavSource {
  /** Throws `AppError` bad_request or blocked_address, in words for whoever gave the address. */
  fetch(url: string): Promise<Playback>;
  close(): Promise<void>;
}

export function openWavSource(allowPrivateTargets: readonly string[]): WavSource {
  const dispatcher = createGuardedDispatcher({
    allowPrivateTargets,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    connectionsPerHost: CONNECTIONS_PER_HOST,
    keepAliveMs: KEEP_ALIVE_MS,
  });
  return {
    fetch: async (url) => {
      try {
        const { status, body } = await guardedRequest(dispatcher, url, {
          method: "GET",
          headers: { accept: "audio/wav" },
          timeoutMs: PLAY_FETCH_MS,
          maxResponseBytes: MAX_WAV_BYTES,
        });
        if (status !== 200) throw refused(`it answers ${status} in the place of a WAV file`);
        const wav = readWav(body);
        if (wav.sampleRateHz < RATES_HZ.min || wav.sampleRateHz > RATES_HZ.max)
          throw refused(`the WAV file has ${wav.sampleRateHz} Hz; use 8000 to 48000`);
        return new Playback(wav, await createResampler(wav.sampleRateHz, PCM_RATE_HZ));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === "bad_request" || error.code === "blocked_address") throw error;
        throw refused(error.message);
      }
    },
    close: () => dispatcher.close(),
  };
}

function refused(why: string): AppError {
  return new AppError("bad_request", `The url cannot be played: ${why}`);
}
