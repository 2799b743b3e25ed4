import { expect, onTestFinished, test, vi } from "vitest";
import type { FromHost } from "../sdk/wire.ts";
import { FrameBridge } from "./frame-bridge.ts";

test("a call with a wrong argument is refused in the words of the dashboard", async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port2.close());
  const [onHeight, onCrash, onMounted, onAlive, onRebuilt, onClosed] = Array.from({ length: 6 }, () =>
    vi.fn(),
  );
  const events = { onHeight, onCrash, onMounted, onAlive, onRebuilt, onClosed } as never;
  new FrameBridge(port1, vi.fn(), events, () => "is not what this dashboard takes");
  const answer = new Promise<FromHost>((resolve) => {
    port2.onmessage = ({ data }: MessageEvent<FromHost>) => resolve(data);
  });
  port2.postMessage({ kind: "request", id: 1, method: "data.count", params: { type: 7 } });
  expect(await answer).toMatchObject({
    kind: "error",
    id: 1,
    error: {
      code: "invalid_arguments",
      message: "data.count: type is not what this dashboard takes.",
      details: { fields: { type: "is not what this dashboard takes" } },
    },
  });
});
