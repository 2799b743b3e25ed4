/** `resume` may stay open for as long as the browser likes (Web Audio, 1.2.3). */
const DEADLINE_MS = 2_000;

/**
 * Starts an audio context. A device that is slow to start is not waited for: the call begins, and the
 * context runs once the device does.
 */
export async function startAudio(context: AudioContext): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DEADLINE_MS);
  });
  await Promise.race([context.resume(), deadline]);
  clearTimeout(timer);
}
