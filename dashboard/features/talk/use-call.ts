import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import { useCallback, useEffect, useMemo, useReducer, useRef } from "react";
import { browserDevices } from "./browser-devices.ts";
import { type CallView, type CallViewEvent, IDLE_VIEW, nextView } from "./call-view.ts";
import { createSession, type TalkSession } from "./session.ts";
import { TalkCall } from "./talk-call.ts";

/** Loudness of both sides, 0 to 1: read on every animation frame, never rendered by React. */
export interface Levels {
  caller: number;
  agent: number;
}

export interface CallActions {
  /** @param callUrl a websocketUrl from one's own backend; without it, calls the server's demo agent */
  start(input: "voice" | "text", callUrl?: string): void;
  hangUp(): void;
  say(text: string): void;
  press(digit: DtmfDigit): void;
  mute(): void;
  unmute(): void;
  openMicrophone(): void;
  dismissTrouble(): void;
}

/**
 * This page's call: its view, actions and levels. `open` requests a call from the server; the talk page's
 * default calls the demo agent.
 */
export function useCall(open: (signal: AbortSignal) => Promise<TalkSession> = createSession): {
  view: CallView;
  actions: CallActions;
  levels: Levels;
} {
  const [view, dispatch] = useReducer(nextView, IDLE_VIEW);
  const call = useRef<TalkCall>(undefined);
  const levels = useMemo<Levels>(() => ({ caller: 0, agent: 0 }), []);

  const start = useCallback(
    (input: "voice" | "text", callUrl?: string) => {
      const started: TalkCall = new TalkCall({
        devices: browserDevices,
        openSession: callUrl === undefined ? open : () => sessionAt(callUrl),
        // Late events of a replaced call are not for this page.
        onEvent: (event: CallViewEvent) => call.current === started && dispatch(event),
        onLevel: (side, level) => {
          levels[side] = level;
        },
      });
      call.current = started;
      void started.start(input);
    },
    [levels, open],
  );

  useEffect(() => {
    const retryNow = () => call.current?.retryNow();
    const hangUp = () => call.current?.hangUp();
    window.addEventListener("online", retryNow);
    window.addEventListener("pagehide", hangUp);
    return () => {
      window.removeEventListener("online", retryNow);
      window.removeEventListener("pagehide", hangUp);
      hangUp();
    };
  }, []);

  const actions = useMemo<CallActions>(
    () => ({
      start,
      hangUp: () => call.current?.hangUp(),
      say: (text) => call.current?.say(text),
      press: (digit) => call.current?.press(digit),
      mute: () => call.current?.mute(),
      unmute: () => call.current?.unmute(),
      openMicrophone: () => void call.current?.openMicrophone(),
      dismissTrouble: () => dispatch({ type: "trouble-seen" }),
    }),
    [start],
  );
  return { view, actions, levels };
}

function sessionAt(websocketUrl: string): Promise<TalkSession> {
  return Promise.resolve({ websocketUrl, agentName: "the agent" });
}
