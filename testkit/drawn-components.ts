import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** How often each component was drawn: by the class of the element that it draws, then by its `id` prop. */
export type Drawn = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * React's hook for its developer tools. It is told of each commit, and finds what was rendered in it as those tools do: by
 * the flag PerformedWork of the fibers that differ from those before.
 */
const HOOK = `(() => {
  const PERFORMED_WORK = 1;
  const classOf = ({ child }) => {
    const host = child?.type === "svg" ? child.child : child;
    const name = host?.memoizedProps?.className;
    return typeof host?.type === "string" && typeof name === "string" ? name.trim().split(" ")[0] : undefined;
  };
  const note = (fiber) => {
    const id = fiber.memoizedProps?.id;
    if (typeof fiber.type === "string" || typeof id !== "string" || !(fiber.flags & PERFORMED_WORK)) return;
    const of = classOf(fiber);
    if (of === undefined) return;
    const drawn = (globalThis.drawnComponents[of] ??= {});
    drawn[id] = (drawn[id] ?? 0) + 1;
  };
  const visit = (fiber, before) => {
    note(fiber);
    if (before && fiber.child === before.child) return;
    for (let child = fiber.child; child; child = child.sibling) visit(child, child.alternate);
  };
  globalThis.drawnComponents = {};
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    renderers: new Map(),
    inject: () => 1,
    checkDCE: () => undefined,
    onScheduleFiberRoot: () => undefined,
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
    setStrictMode: () => undefined,
    onCommitFiberRoot: (_, root) => visit(root.current, root.current.alternate),
  };
})()`;

/** Counts what React draws on documents that the page opens from now on, until the test ends. */
export async function countDrawn(page: Page): Promise<{ reset(): Promise<void>; read(): Promise<Drawn> }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.enable");
  const { identifier } = await devtools.send("Page.addScriptToEvaluateOnNewDocument", { source: HOOK });
  // Pages are lent to the next test as they were.
  onTestFinished(async () => {
    await devtools.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    await devtools.detach();
  });
  return {
    reset: () => page.evaluate("void (drawnComponents = {})"),
    read: () => page.evaluate<Drawn>("drawnComponents"),
  };
}
