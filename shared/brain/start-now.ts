/** An iteration that has begun; `return` ends it, also before anybody reads it. */
export interface StartedIteration<T> extends AsyncIterable<T> {
  readonly return: () => Promise<void>;
}

const NOTHING = (): void => undefined;

/** Starts an iteration before its consumer arrives, who sees a failure; an abandoned iteration has no consumer. */
export function startNow<T>(
  source: AsyncIterable<T>,
  {
    onEnded = NOTHING,
    onFailed = NOTHING,
  }: { onEnded?: () => void; onFailed?: (error: unknown) => void } = {},
): StartedIteration<T> {
  const iterator = source[Symbol.asyncIterator]();
  let first: Promise<IteratorResult<T>> | undefined = iterator.next();
  first.catch(onFailed);
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const next = first ?? iterator.next();
        first = undefined;
        try {
          const result = await next;
          if (result.done) onEnded();
          return result;
        } catch (error) {
          onFailed(error);
          throw error;
        }
      },
      return: async (value) => (await iterator.return?.(value)) ?? { done: true, value },
    }),
    return: async () => void (await iterator.return?.().catch(NOTHING)),
  };
}
