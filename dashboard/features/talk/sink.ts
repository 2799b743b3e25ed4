/** What browsers with a choice of loudspeakers add to an audio context (Web Audio API 1.1). */
interface WithSink {
  setSinkId(sinkId: string): Promise<void>;
}

function hasSink(context: object): context is WithSink {
  return "setSinkId" in context;
}

/** True where a page may choose the loudspeaker. */
export const CAN_CHOOSE_SINK = "AudioContext" in globalThis && hasSink(AudioContext.prototype);

/**
 * Plays on this loudspeaker, the system's own when empty. One that is gone meanwhile changes nothing: sound from the
 * wrong place is better than none.
 */
export async function chooseSink(context: AudioContext, sinkId: string): Promise<boolean> {
  if (!hasSink(context)) return false;
  try {
    await context.setSinkId(sinkId);
    return true;
  } catch {
    return false;
  }
}
