import type { Method } from "../methods/define.ts";
import { METHODS } from "../methods/table.ts";
import type { MethodShape } from "../sdk/wire.ts";

/** What a frame needs to know about this host's operations. */
export function methodShapes(): Record<string, MethodShape> {
  const methods: readonly Method[] = METHODS;
  return Object.fromEntries(methods.filter(({ runsIn }) => runsIn !== "frame").map(shapeOf));
}

function shapeOf({ name, params, bytes, streams, limits }: Method): [string, MethodShape] {
  return [
    name,
    {
      params: Object.keys(params),
      timeoutMs: limits.timeoutMs,
      atOnce: limits.inFlight,
      ...(bytes?.in === undefined ? {} : { takesBytes: true }),
      ...(streams === undefined ? {} : { streams }),
    },
  ];
}
