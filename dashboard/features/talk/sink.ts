/** Added to an audio context by browsers that can choose loudspeakers (Web Audio API 1.1). */
interface WithSink {
  setSinkId(sinkId: string): Promise<void>;
}

function hasSink(context: object): context is WithSink {
  return "setSinkId" in context;
}

/** Whether a page may choose the loudspeaker. */
export const CAN_CHOOSE_SINK = "AudioContext" in globalThis && hasSink(AudioContext.prototype);

/**
 * Switches to a loudspeaker; an empty id means the system default. A missing one changes nothing: sound from
 * the wrong place beats silence.
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
