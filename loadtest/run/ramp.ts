/** One step of a ramp. */
export interface RampStep {
  readonly calls: number;
  readonly holds: boolean;
  /** The load generator was the limit instead of the gateway: higher numbers would say nothing. */
  readonly isCallersLimit: boolean;
}

export interface RampOptions {
  readonly first: number;
  readonly max: number;
  /** Relative precision of the answer. */
  readonly precision: number;
}

/**
 * Finds the highest number of calls that holds: doubles until one fails, then bisects. Returns 0 when not
 * even the first holds.
 */
export async function ramp(
  { first, max, precision }: RampOptions,
  hold: (calls: number) => Promise<RampStep>,
): Promise<{ highest: number; isCallersLimit: boolean }> {
  let holds = 0;
  let fails: number | undefined;
  let isCallersLimit = false;
  let next: number | undefined = Math.min(first, max);
  while (next !== undefined) {
    const step = await hold(next);
    if (step.holds) holds = next;
    else {
      fails = next;
      isCallersLimit = step.isCallersLimit;
    }
    next = nextStep({ holds, fails, max, precision });
  }
  return { highest: holds, isCallersLimit };
}

function nextStep(known: {
  holds: number;
  fails: number | undefined;
  max: number;
  precision: number;
}): number | undefined {
  const { holds, fails, max, precision } = known;
  if (fails === undefined) return holds >= max ? undefined : Math.min(max, holds * 2);
  const middle = Math.floor((holds + fails) / 2);
  const isCloseEnough = fails - holds <= Math.max(1, fails * precision);
  return isCloseEnough || middle === holds ? undefined : middle;
}
