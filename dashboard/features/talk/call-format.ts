/** The format this page asks for in `start`: 16-bit mono at 16 kHz both ways, 20 ms per message. */
export const CALL_RATE_HZ = 16_000;
export const CALL_AUDIO = { encoding: "pcm_s16le", sampleRate: CALL_RATE_HZ } as const;
