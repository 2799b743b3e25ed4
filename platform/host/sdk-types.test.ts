import { expect, expectTypeOf, test } from "vitest";
import type { MethodName, MethodOf, MethodResult } from "../methods/table.ts";
import { METHODS } from "../methods/table.ts";
import { METHOD_NAMES } from "../sdk/bridge/method-names.ts";
import type { Platform } from "../sdk/index.ts";
import { methodShapes } from "./method-shapes.ts";

/** What the frame itself has: no call goes out. */
type Own = "settings.all" | "settings.get" | "theme.mode" | "theme.onChange";
/** Whose results are of a type that the app names, or no JSON. */
type Generic =
  | "data.list"
  | "data.create"
  | "data.update"
  | "data.subscribe"
  | "files.get"
  | "stream.subscribe";
type Checked = Exclude<MethodName, Own | Generic>;

type Operation<N extends string> = N extends `${infer Space}.${infer Name}`
  ? Space extends keyof Platform
    ? Name extends keyof Platform[Space]
      ? Platform[Space][Name]
      : never
    : never
  : never;
type Answer<N extends string> = Operation<N> extends (...given: never[]) => Promise<infer R> ? R : never;
type First<N extends string> = Operation<N> extends (...given: infer A) => unknown ? A[0] : never;

/** Those whose answer is something else than the types of the SDK say. */
type Misfits = { [N in Checked]: MethodResult<N> extends Answer<N> ? never : N }[Checked];

test("the types of the SDK are those of the table", () => {
  expectTypeOf<Misfits>().toEqualTypeOf<never>();
  expectTypeOf<First<"http.fetch">>().toExtend<
    MethodOf<"http.fetch">["params"]["request"]["_zod"]["input"]
  >();
  expectTypeOf<First<"links.mint">["ttlSecs"]>().toEqualTypeOf<number>();
  expectTypeOf<First<"ai.llm">["tier"]>().toEqualTypeOf<"fast" | "smart" | undefined>();
});

test("the SDK knows every operation by name, to refuse those a dashboard does not have yet", () => {
  const called = METHODS.filter(({ runsIn }) => runsIn !== "frame").map(({ name }) => name);
  expect([...METHOD_NAMES].toSorted()).toEqual(called.toSorted());
  expect(Object.keys(methodShapes()).toSorted()).toEqual(called.toSorted());
});
