/** Audio inside Parley is 16-bit mono PCM at 16 kHz in frames of 20 ms. Sockets and vendors convert at their edge. */
export const PCM_RATE_HZ = 16_000;
export const FRAME_MS = 20;
export const FRAME_SAMPLES = (PCM_RATE_HZ / 1000) * FRAME_MS;

export const samplesToMs = (samples: number): number => (samples * 1000) / PCM_RATE_HZ;
export const msToSamples = (ms: number): number => Math.round((ms * PCM_RATE_HZ) / 1000);
