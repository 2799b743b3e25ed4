import { expect, it } from "vitest";
import { restoredSecret } from "./restored-secret.ts";

const custom = (hasSecret: boolean) => ({ brain: { url: "https://a.example", hasSecret } });
const model = (url: string, hasSecret: boolean) => ({ brain: { kind: "model", url, hasSecret } });

it.each([
  ["stays where the brain is the same", custom(true), custom(true), "kept"],
  ["stays where the old version had none", custom(true), custom(false), "kept"],
  ["is asked for where it was taken away since", custom(false), custom(true), "asked"],
  ["is asked for with a brain of another kind", model("https://m.example", true), custom(true), "asked"],
  [
    "goes with a brain of another kind that had none",
    model("https://m.example", true),
    custom(false),
    "none",
  ],
  [
    "is asked for at another address of a model",
    model("https://m.example", true),
    model("https://n.example", false),
    "asked",
  ],
] as const)("a secret %s", (_, now, then, expected) => {
  expect(restoredSecret(now, then)).toBe(expected);
});
