import { expect, it } from "vitest";
import { brainTestParts } from "./brain-test-stream.ts";

function bodyOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

it("parts are read however they are cut", async () => {
  const parts = [];
  const body = bodyOf('data: {"type":"token","te', 'xt":"Hi","atMs":1}\n', '\ndata: {"type":"result"}\n\n');
  for await (const part of brainTestParts(body)) parts.push(part);
  expect(parts).toEqual([{ type: "token", text: "Hi", atMs: 1 }, { type: "result" }]);
});

it("whoever stops reading lets the body go", async () => {
  let isReleased = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: {"type":"token"}\n\n')),
    cancel: () => {
      isReleased = true;
    },
  });
  for await (const part of brainTestParts(body)) if (part.type === "token") break;
  expect(isReleased).toBe(true);
});
