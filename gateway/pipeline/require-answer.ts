import { hasContent } from "@parley/media/sentences/clause-chunker.ts";
import { TagFilter } from "@parley/media/sentences/tag-filter.ts";
import { BrainError } from "@parley/shared/brain/brain-error.ts";
import type { BrainPart } from "@parley/shared/brain/client.ts";

interface Asking {
  /** Aborted once nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly onEmpty: () => void;
}

/**
 * Passes on the parts of an answer as they arrive. An answer with nothing to say (a model's thoughts, marks and emoji
 * do not count) and no control event (`flush` alone does not count) has failed: the caller would hear nothing and not
 * know why. Such an answer ends by throwing `BrainError` empty.
 */
export async function* requireAnswer(
  parts: AsyncIterable<BrainPart>,
  { signal, onEmpty }: Asking,
): AsyncIterable<BrainPart> {
  const tags = new TagFilter();
  let isAnswer = false;
  for await (const part of parts) {
    isAnswer ||= part.type === "token" ? hasContent(tags.push(part.text)) : part.control.event !== "flush";
    yield part;
  }
  if (isAnswer || signal.aborted || hasContent(tags.flush())) return;
  onEmpty();
  throw new BrainError("empty", "The brain's answer has no word to say in it and no control event.", {
    isFinal: true,
  });
}
