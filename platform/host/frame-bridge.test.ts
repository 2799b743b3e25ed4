import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findMethod } from "../methods/table.ts";
import { createPlatform } from "../sdk/bridge/create-platform.ts";
import { PortCaller } from "../sdk/bridge/port-caller.ts";
import type { WindowPlatform } from "../sdk/types/platform.ts";
import { BRIDGE_VERSION, type FromHost } from "../sdk/wire.ts";
import { BridgeError } from "../wire/errors.ts";
import type { Executor, HostCall } from "./executor.ts";
import { FrameBridge } from "./frame-bridge.ts";
import { methodShapes } from "./method-shapes.ts";

const NEVER = new Promise<never>(() => undefined);
const soon = (holds: () => void): Promise<void> => vi.waitFor(holds, { timeout: 90_000 });

interface Joined {
  readonly platform: WindowPlatform;
  /** The app's end, for what no SDK would send. */
  readonly raw: MessagePort;
  readonly bridge: FrameBridge;
  readonly answers: FromHost[];
  readonly closed: string[];
  readonly crashes: unknown[];
}

const open: MessagePort[] = [];

/** A frame's side and a host's on one channel, as they are in the dashboard. */
function join(execute: Executor): Joined {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  const closed: string[] = [];
  const crashes: unknown[] = [];
  const answers: FromHost[] = [];
  const bridge = new FrameBridge(port1, execute, {
    onHeight: vi.fn(),
    onCrash: (crash) => crashes.push(crash),
    onMounted: vi.fn(),
    onAlive: vi.fn(),
    onRebuilt: vi.fn(),
    onClosed: (reason) => closed.push(reason),
  });
  const caller = new PortCaller(port2);
  port2.onmessage = ({ data }: MessageEvent<FromHost>) => {
    answers.push(data);
    if (data.kind === "closed") caller.close(data.reason);
    else if ("id" in data) caller.take(data);
  };
  const { platform } = createPlatform(caller, {
    version: BRIDGE_VERSION,
    context: { appId: "notes", pageId: "panel", title: "Notes" },
    user: null,
    settings: {},
    theme: "light",
    methods: methodShapes(),
  });
  return { platform, raw: port2, bridge, answers, closed, crashes };
}

afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

describe("the arguments of a call", () => {
  test("are as JSON keeps them: what is undefined is left out, and a date is its text", async () => {
    const calls: HostCall[] = [];
    const { platform } = join(async (call) => {
      calls.push(call);
      return { id: "rec_1" };
    });
    const due = new Date("2026-01-31T12:00:00Z");
    await platform.data.create("task", {
      title: "a",
      owner: undefined,
      due,
      steps: [undefined, { at: due }],
    });
    await platform.data.list("task", { owner: undefined, title: "a" } as never, { limit: undefined });
    const at = "2026-01-31T12:00:00.000Z";
    expect(calls.map(({ args }) => args)).toEqual([
      { type: "task", data: { title: "a", due: at, steps: [null, { at }] } },
      { type: "task", query: { title: "a" }, opts: {} },
    ]);
  });

  test("that contain themselves or what is no data are refused", async () => {
    const { platform } = join(async () => null);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    await expect(platform.data.create("task", circle)).rejects.toMatchObject({ code: "too_large" });
    for (const wrong of [{ at: new Map() }, { press: () => undefined }])
      await expect(platform.data.create("task", wrong)).rejects.toMatchObject({ code: "invalid_arguments" });
  });
});

describe("an answer that streams", () => {
  const request = { messages: [{ role: "user" as const, content: "Hi" }] };

  test("is told in pieces, in their order, before the whole of it", async () => {
    const { platform } = join(async ({ onEvent }) => {
      for (const token of ["Good ", "day", "."]) onEvent({ token });
      return { text: "Good day." };
    });
    const said: string[] = [];
    const answer = await platform.ai.llmStream(request, (token) => said.push(token));
    expect([...said, answer.text]).toEqual(["Good ", "day", ".", "Good day."]);
  });

  test("that breaks off is refused in typed words, after what there was of it", async () => {
    const { platform } = join(async ({ onEvent }) => {
      onEvent({ token: "Good " });
      throw new BridgeError("vendor_failed", "It broke off.");
    });
    const said: string[] = [];
    await expect(platform.ai.llmStream(request, (token) => said.push(token))).rejects.toMatchObject({
      code: "vendor_failed",
      retryable: true,
    });
    expect(said).toEqual(["Good "]);
  });

  test("that the app stops is stopped with who carries it out; nothing is told of it after that", async () => {
    const calls: HostCall[] = [];
    const { platform } = join((call) => {
      calls.push(call);
      call.onEvent({ token: "Good " });
      return NEVER;
    });
    const stop = new AbortController();
    const said: string[] = [];
    const asked = platform.ai.llmStream(
      request,
      (token) => {
        said.push(token);
        stop.abort();
      },
      { signal: stop.signal },
    );
    await expect(asked).rejects.toMatchObject({ code: "canceled" });
    await soon(() => expect(calls[0]?.signal.aborted).toBe(true));
    calls[0]?.onEvent({ token: "day" });
    expect(said).toEqual(["Good "]);
    await expect(
      platform.ai.llmStream(request, () => undefined, { signal: stop.signal }),
    ).rejects.toMatchObject({ code: "canceled" });
    expect(calls).toHaveLength(1);
  });

  test("that waits for others to end can be stopped as well", async () => {
    const calls: HostCall[] = [];
    const { platform } = join((call) => {
      calls.push(call);
      return NEVER;
    });
    const { inFlight } = findMethod("ai.llmStream")?.limits ?? { inFlight: 0 };
    for (let at = 0; at < inFlight; at++)
      void platform.ai.llmStream(request, () => undefined).catch(() => undefined);
    await soon(() => expect(calls).toHaveLength(inFlight));
    const stop = new AbortController();
    const waiting = platform.ai.llmStream(request, () => undefined, { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "canceled" });
    expect(calls).toHaveLength(inFlight);
  });
});

describe("a call of a frame", () => {
  test("reaches who carries it out, with its arguments by name, and its result comes back", async () => {
    const calls: HostCall[] = [];
    const { platform } = join(async (call) => {
      calls.push(call);
      return [{ id: "rec_1" }];
    });
    expect(await platform.data.list("note", { done: false }, { limit: 3 })).toEqual([{ id: "rec_1" }]);
    expect(calls[0]).toMatchObject({
      method: { name: "data.list" },
      args: { type: "note", query: { done: false }, opts: { limit: 3 } },
    });
  });

  test("is refused in typed words, whatever went wrong", async () => {
    const { platform } = join(async ({ args }) => {
      if (args.type === "gone") throw new BridgeError("not_found", "There is none.");
      throw new Error("a secret of the host");
    });
    await expect(platform.data.count("gone")).rejects.toMatchObject({
      code: "not_found",
      message: "There is none.",
    });
    const bug = await platform.data.count("note").catch((error: unknown) => error);
    expect(bug).toMatchObject({ code: "internal", retryable: true });
    expect(String(bug)).not.toContain("secret");
    await expect(platform.data.list("no spaces")).rejects.toMatchObject({ code: "invalid_arguments" });
    await expect(platform.data.list("note", { $where: "1" } as never)).rejects.toMatchObject({
      code: "invalid_arguments",
    });
    await expect(platform.data.create("note", { f: () => 1 })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
    await expect(platform.data.subscribe("note", undefined as never)).rejects.toMatchObject({
      code: "invalid_arguments",
    });
  });

  test.each(["__proto__.list", "constructor", "then", "data.toString", "data.__proto__", "theme.mode"])(
    "of %s is refused: only the table's operations are there",
    async (method) => {
      const execute = vi.fn();
      const { raw, answers } = join(execute);
      raw.postMessage({ kind: "request", id: 7, method, params: {} });
      await soon(() => expect(answers).toMatchObject([{ id: 7, error: { code: "unknown_method" } }]));
      expect(execute).not.toHaveBeenCalled();
    },
  );

  test("says nothing of who calls: what claims to be another app is refused", async () => {
    const execute = vi.fn();
    const { raw, answers } = join(execute);
    raw.postMessage({
      kind: "request",
      id: 1,
      method: "data.count",
      params: { type: "note", appId: "bank" },
    });
    raw.postMessage({
      kind: "request",
      id: 2,
      method: "data.count",
      params: { type: "note" },
      appId: "bank",
    });
    await soon(() => expect(answers).toHaveLength(2));
    expect(answers).toMatchObject([
      { id: 1, error: { code: "invalid_arguments" } },
      { id: 2, error: { code: "invalid_arguments" } },
    ]);
    expect(execute).not.toHaveBeenCalled();
  });

  test("that is too large, too deep or circular is refused", async () => {
    const { platform } = join(async () => null);
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    let deep: unknown = 1;
    for (let depth = 0; depth < 1_000; depth++) deep = [deep];
    for (const data of [{ text: "x".repeat(2 * 1024 * 1024) }, circular, { deep }]) {
      await expect(platform.data.create("note", data)).rejects.toMatchObject({ code: "too_large" });
    }
    await expect(platform.files.put("a.bin", new Uint8Array(26 * 1024 * 1024))).rejects.toMatchObject({
      code: "too_large",
    });
  });

  test("brings a file's bytes along, and only where a file is meant", async () => {
    const { platform, raw, answers } = join(async ({ bytes }) => ({ path: "a", size: bytes?.byteLength }));
    expect(await platform.files.put("a.txt", "héllo")).toEqual({ path: "a", size: 6 });
    expect(await platform.files.put("a.txt", new Uint8Array(100).subarray(10, 13))).toMatchObject({
      size: 3,
    });
    raw.postMessage({
      kind: "request",
      id: 99,
      method: "data.count",
      params: { type: "note" },
      bytes: new ArrayBuffer(3),
    });
    await soon(() => expect(answers.at(-1)).toMatchObject({ id: 99, error: { code: "invalid_arguments" } }));
  });

  test("waits on the app's own side while as many are under way as the host allows", async () => {
    let underWay = 0;
    let most = 0;
    const { platform } = join(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, 1));
      underWay -= 1;
      return { path: "a", size: 1 };
    });
    const puts = Array.from({ length: 40 }, (_, at) => platform.files.put(`${at}.txt`, "x"));
    expect(await Promise.all(puts)).toHaveLength(40);
    expect(most).toBe(4);
  });

  test("beyond the host's bounds is refused, and those within are answered", async () => {
    const { raw, answers } = join(async () => ({ count: 1 }));
    for (let id = 1; id <= 1_500; id++) {
      raw.postMessage({ kind: "request", id, method: "data.count", params: { type: "note" } });
    }
    await soon(() => expect(answers).toHaveLength(1_500));
    const refused = answers.filter((answer) => answer.kind === "error");
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused)
      expect(answer).toMatchObject({ error: { code: "rate_limited", retryable: true } });
  });

  test("of a frame that never stops talking ends the bridge, for good", async () => {
    const { raw, closed, platform } = join(async () => ({ count: 1 }));
    for (let id = 1; id <= 2_500; id++) raw.postMessage({ kind: "cancel", id });
    await soon(() => expect(closed).toEqual(["The app sent more messages than a page can mean."]));
    await expect(platform.data.count("note")).rejects.toMatchObject({ code: "canceled" });
  });

  test("cannot be answered in another's place: an id that is under way is not taken again", async () => {
    const execute = vi.fn(async ({ args }: HostCall) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return args.type;
    });
    const { raw, answers } = join(execute);
    raw.postMessage({ kind: "request", id: 5, method: "data.count", params: { type: "first" } });
    raw.postMessage({ kind: "request", id: 5, method: "data.count", params: { type: "second" } });
    await soon(() => expect(answers).toEqual([{ kind: "result", id: 5, result: "first" }]));
    expect(execute).toHaveBeenCalledTimes(1);
  });
});

describe("a subscription", () => {
  test("gets events until it is ended, and then whoever serves it stops", async () => {
    let served: HostCall | undefined;
    const { platform } = join(async (call) => {
      served = call;
      return null;
    });
    const heard: unknown[] = [];
    const resynced = vi.fn();
    const stop = await platform.data.subscribe("note", (event) => heard.push(event), resynced);
    served?.onEvent({ event: "deleted", id: "rec_1" });
    served?.onResync();
    await soon(() => expect(resynced).toHaveBeenCalled());
    expect(heard).toEqual([{ event: "deleted", id: "rec_1" }]);
    stop();
    await soon(() => expect(served?.signal.aborted).toBe(true));
    served?.onEvent({ event: "deleted", id: "rec_2" });
    expect(heard).toHaveLength(1);
  });

  test("beyond fifty is refused", async () => {
    const { platform } = join(async () => null);
    const all = Array.from({ length: 60 }, () => platform.data.subscribe("note", () => undefined));
    const settled = await Promise.allSettled(all);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
    expect(settled.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "rate_limited" },
    });
  });

  test("a streamed answer brings its pieces before the whole", async () => {
    const { platform } = join(async ({ onEvent }) => {
      for (const token of ["Good ", "morning"]) onEvent({ token });
      return { text: "Good morning" };
    });
    const tokens: string[] = [];
    const request = { messages: [{ role: "user" as const, content: "Hi" }] };
    const result = await platform.ai.llmStream(request, (token) => tokens.push(token));
    expect([tokens, result]).toEqual([["Good ", "morning"], { text: "Good morning" }]);
  });
});

describe("no promise waits for ever", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test("what takes too long is refused by the host, and whoever works on it is told", async () => {
    let signal: AbortSignal | undefined;
    const { platform } = join((call) => {
      signal = call.signal;
      return NEVER;
    });
    const asked = platform.data.count("note").catch((error: unknown) => error);
    while (signal === undefined) await new Promise(setImmediate);
    vi.advanceTimersByTime(15_000);
    expect(await asked).toMatchObject({ code: "deadline_exceeded", retryable: true });
    expect(signal.aborted).toBe(true);
  });

  test("a host that says nothing is given up by the app's side", async () => {
    const { port1, port2 } = new MessageChannel();
    open.push(port1, port2);
    const caller = new PortCaller(port1);
    const asked = caller
      .call({ method: "data.count", params: {}, timeoutMs: 1_000, atOnce: 1 })
      .catch((error: unknown) => error);
    vi.advanceTimersByTime(3_000);
    expect(await asked).toMatchObject({ code: "deadline_exceeded" });
  });

  test("a bridge that is closed answers all who wait", async () => {
    const { platform, bridge } = join(() => NEVER);
    const asked = Array.from({ length: 40 }, () =>
      platform.data.count("note").catch((error: unknown) => error),
    );
    bridge.close("The app was uninstalled.");
    for (const error of await Promise.all(asked)) {
      expect(error).toMatchObject({ code: "canceled", message: "The app was uninstalled." });
    }
  });
});
