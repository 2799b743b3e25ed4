/** How long a second attempt waits: long enough for a network that changes, too short to be taken for a fault. */
const AGAIN_AFTER_MS = 1_000;

/** A part of the pages whose code did not come: the network is away, or an update replaced it. */
export class MissingCode extends Error {
  override readonly name = "MissingCode";
}

/**
 * Imports code, and once more if it does not come.
 * @throws MissingCode when it does not come the second time either
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // A second attempt would come without these styles: the bundler asks for them once.
    if (isOfStyles(error)) throw new MissingCode("styles did not come", { cause: error });
  }
  await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
  try {
    return await load();
  } catch (error) {
    throw new MissingCode("code did not come", { cause: error });
  }
}

/** Whether the bundler's loader, which asks for a part's styles first, could not get those. */
function isOfStyles(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Unable to preload CSS");
}
