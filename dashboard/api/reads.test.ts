import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { Reads } from "./reads.ts";

interface Answering {
  readonly answers?: Readonly<Record<string, { status: number; body: object }>>;
  readonly cutAfter?: number;
}

/** Reads against an API that answers `{ data: path }` to whatever has no other answer. */
function reads({ answers = {}, cutAfter = Number.POSITIVE_INFINITY }: Answering = {}) {
  const sent: string[] = [];
  const made = new Reads({
    ready: async () => undefined,
    alone: async ({ path }) => {
      sent.push(path);
      return `${path} alone`;
    },
    together: async (all) => {
      sent.push(all.map(({ path }) => path).join(" + "));
      const lines = all.map(({ path }, at) => {
        const { status = 200, body = { success: true, data: path } } = answers[path] ?? {};
        return `${JSON.stringify({ at, status, body })}\n`;
      });
      // The last is answered first, and lines do not end where chunks do.
      const text = lines.toReversed().slice(0, cutAfter).join("");
      return new Response(new Blob([text.slice(0, 7), text.slice(7)]).stream());
    },
  });
  return {
    sent,
    ask: (path: string, orgId = "org_a") => made.ask({ path, orgId }),
    askAhead: (paths: readonly string[]) => made.askAhead(paths.map((path) => ({ path, orgId: "org_a" }))),
    forgetAhead: () => made.forgetAhead(),
  };
}

test("what is asked for at once is one request, and each gets its own answer", async () => {
  const { sent, ask } = reads();
  expect(await Promise.all([ask("/a"), ask("/b"), ask("/c")])).toEqual(["/a", "/b", "/c"]);
  expect(sent).toEqual(["/a + /b + /c"]);
});

test("a read that is alone is a plain request", async () => {
  const { sent, ask } = reads();
  expect(await ask("/a")).toBe("/a alone");
  expect(sent).toEqual(["/a"]);
});

test("what is asked for twice at once is read once, by organization", async () => {
  const { sent, ask } = reads();
  await Promise.all([ask("/a"), ask("/a"), ask("/a", "org_b")]);
  expect(sent).toEqual(["/a + /a"]);
});

test("what is asked for again on the way is read again: it may have changed since", async () => {
  const { sent, ask } = reads();
  const first = ask("/a");
  await expect.poll(() => sent).toEqual(["/a"]);
  await Promise.all([first, ask("/a")]);
  expect(sent).toEqual(["/a", "/a"]);
});

test("what was asked ahead is for the first who asks, until something changes", async () => {
  const { sent, ask, askAhead, forgetAhead } = reads();
  askAhead(["/a", "/b", "/c"]);
  await expect.poll(() => sent).toEqual(["/a + /b + /c"]);
  expect(await Promise.all([ask("/a"), ask("/b")])).toEqual(["/a", "/b"]);
  await ask("/a");
  await ask("/b", "org_b");
  forgetAhead();
  await ask("/c");
  expect(sent.slice(1)).toEqual(["/a", "/b", "/c"]);
});

test("a refusal is that read's alone", async () => {
  const { ask } = reads({
    answers: { "/b": { status: 403, body: { success: false, error: "Not you.", code: "forbidden" } } },
  });
  const [a, b] = await Promise.allSettled([ask("/a"), ask("/b")]);
  expect(a).toMatchObject({ value: "/a" });
  expect(b).toMatchObject({ reason: { status: 403, message: "Not you.", code: "forbidden" } });
  expect(b.status === "rejected" && b.reason).toBeInstanceOf(ApiError);
});

test("a read whose token expired on the way is sent again by itself", async () => {
  const { ask } = reads({
    answers: { "/b": { status: 401, body: { success: false, error: "Expired.", code: "token_expired" } } },
  });
  expect(await Promise.all([ask("/a"), ask("/b")])).toEqual(["/a", "/b alone"]);
});

test("an answer that ends early fails those it left out, and only those", async () => {
  const { ask } = reads({ cutAfter: 1 });
  const [a, b] = await Promise.allSettled([ask("/a"), ask("/b")]);
  expect(a.status).toBe("rejected");
  expect(b).toMatchObject({ value: "/b" });
});

test("more than one request takes are several", async () => {
  const { sent, ask } = reads();
  const paths = Array.from({ length: 20 }, (_, at) => `/${at}`);
  expect(await Promise.all(paths.map((path) => ask(path)))).toEqual(paths);
  expect(sent.map((each) => each.split(" + ").length)).toEqual([16, 4]);
});
