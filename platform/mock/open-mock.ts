import { FrameBridge, type FrameEvents } from "../host/frame-bridge.ts";
import { methodShapes } from "../host/method-shapes.ts";
import { createPlatform, type PlatformEvents } from "../sdk/bridge/create-platform.ts";
import { PortCaller } from "../sdk/bridge/port-caller.ts";
import type { WindowPlatform } from "../sdk/types/platform.ts";
import { BRIDGE_VERSION, type FrameInit, type FromHost } from "../sdk/wire.ts";
import { createMock, type Mock, type MockOptions } from "./mock-executor.ts";

export interface OpenMockOptions extends MockOptions {
  readonly init: Pick<FrameInit, "context" | "user" | "settings" | "theme">;
  readonly on: Pick<FrameEvents, "onClosed">;
}

/** Opens the bridge without a dashboard: the dashboard's own port, bounds and schemas, backed by a mock. */
export function openMock({ init, on, ...options }: OpenMockOptions): {
  readonly platform: WindowPlatform;
  readonly events: PlatformEvents;
  readonly mock: Mock;
  close(reason: string): void;
} {
  const mock = createMock(options);
  const { port1, port2 } = new MessageChannel();
  const bridge = new FrameBridge(port1, mock.execute, {
    onHeight: nothing,
    onCrash: nothing,
    onMounted: nothing,
    onAlive: nothing,
    onRebuilt: nothing,
    ...on,
  });
  const caller = new PortCaller(port2);
  port2.onmessage = ({ data }: MessageEvent<FromHost>) => {
    if (data.kind === "closed") caller.close(data.reason);
    else if ("id" in data) caller.take(data);
  };
  const { platform, events } = createPlatform(caller, {
    version: BRIDGE_VERSION,
    methods: methodShapes(),
    ...init,
  });
  return { platform, events, mock, close: (reason) => bridge.close(reason) };
}

function nothing(): void {
  return;
}
