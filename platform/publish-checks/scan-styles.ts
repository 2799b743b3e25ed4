import { type Problem, problem } from "./problem.ts";

const REMOTE = /(?:@import\s+(?:url\(\s*)?|url\(\s*)["']?((?:https?:)?\/\/[^\s"')]{1,200})/gi;

/** Finds remote resources in a stylesheet, which a frame does not load. */
export function scanStyles(file: string, source: string): Problem[] {
  return [...source.matchAll(REMOTE)].map(({ 1: address = "", index }) => {
    const before = source.slice(0, index);
    const place = { file, line: before.split("\n").length, column: index - before.lastIndexOf("\n") };
    return problem(
      "REMOTE_RESOURCE",
      `${address} is not loaded inside a frame; put it into the bundle.`,
      place,
    );
  });
}
