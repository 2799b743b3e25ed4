/** `resume` may stay pending as long as the browser likes (Web Audio, 1.2.3). */
const DEADLINE_MS = 2_000;

/**
 * Starts an audio context without waiting for a slow device: the call begins, and the context runs once the
 * device does.
 */
export async function startAudio(context: AudioContext): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DEADLINE_MS);
  });
  await Promise.race([context.resume(), deadline]);
  clearTimeout(timer);
}

/** Longer than a slow network needs for a small file. */
const WORKLET_DEADLINE_MS = 5_000;

/**
 * Loads a worklet's module. Also rejects when the browser has not finished in time: nothing guarantees that
 * it does.
 */
export async function loadWorklet(context: AudioContext, url: string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    const late = () => reject(new Error("The browser did not load its audio code in time."));
    timer = setTimeout(late, WORKLET_DEADLINE_MS);
  });
  await Promise.race([context.audioWorklet.addModule(url), deadline]).finally(() => clearTimeout(timer));
}
