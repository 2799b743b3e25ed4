import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import { useCallback, useEffect, useMemo, useReducer, useRef } from "react";
import { browserDevices } from "./devices.ts";
import { type ConnectedLine, SoftphoneCall } from "./softphone-call.ts";
import {
  IDLE,
  isBusy,
  type Line,
  nextView,
  type SoftphoneEvent,
  type SoftphoneView,
} from "./softphone-view.ts";

/** Loudness of both sides, 0 to 1: read on every animation frame, never rendered by React. */
export interface Levels {
  own: number;
  far: number;
}

/** A call to start. */
export interface Beginning {
  readonly line: Line;
  readonly answeredAtMs?: number | undefined;
  readonly without?: "listen" | undefined;
  /** Hangs up the current call for this one. */
  readonly isInstead?: boolean | undefined;
  readonly connect: () => Promise<ConnectedLine>;
  readonly whyEnded: (sessionId: string) => Promise<string | undefined>;
}

export interface LineActions {
  /** Does nothing during a call, unless it replaces that call. */
  begin(beginning: Beginning): void;
  hangUp(): void;
  mute(isMuted: boolean): void;
  hold(isHeld: boolean): void;
  press(digit: DtmfDigit): void;
  transferring(to: string): void;
  /** Acknowledges a failed transfer. */
  readCameBack(): void;
  switchMicrophone(deviceId: string | undefined): void;
  switchSpeaker(deviceId: string | undefined): void;
}

interface ChosenDevices {
  readonly microphoneId: string | undefined;
  readonly speakerId: string | undefined;
}

/** This page's single call: its view, actions and levels. */
export function useLine(chosen: ChosenDevices): {
  view: SoftphoneView;
  actions: LineActions;
  levels: Levels;
} {
  const [view, dispatch] = useReducer(nextView, IDLE);
  const call = useRef<SoftphoneCall>(undefined);
  const latest = useRef({ chosen, view });
  useEffect(() => {
    latest.current = { chosen, view };
  });
  const levels = useMemo<Levels>(() => ({ own: 0, far: 0 }), []);

  const begin = useCallback(
    ({ isInstead, ...beginning }: Beginning) => {
      if (isBusy(latest.current.view)) {
        if (!isInstead) return;
        call.current?.hangUp();
      }
      const begun: SoftphoneCall = new SoftphoneCall({
        ...beginning,
        ...latest.current.chosen,
        devices: browserDevices,
        // Late events of a replaced call are not for this page.
        onEvent: (event: SoftphoneEvent) => call.current === begun && dispatch({ event, atMs: Date.now() }),
        onLevel: (side, level) => {
          levels[side] = level;
        },
      });
      call.current = begun;
      void begun.start();
    },
    [levels],
  );
  useLeaving(call, isBusy(view));

  const actions = useMemo<LineActions>(
    () => ({
      begin,
      hangUp: () => call.current?.hangUp(),
      mute: (isMuted) => call.current?.mute(isMuted),
      hold: (isHeld) => call.current?.hold(isHeld),
      press: (digit) => call.current?.press(digit),
      transferring: (to) => dispatch({ event: { type: "transferring", to }, atMs: Date.now() }),
      readCameBack: () => dispatch({ event: { type: "came-back-read" }, atMs: Date.now() }),
      switchMicrophone: (deviceId) => void call.current?.switchMicrophone(deviceId),
      switchSpeaker: (deviceId) => void call.current?.switchSpeaker(deviceId),
    }),
    [begin],
  );
  return { view, actions, levels };
}

/**
 * Asks before the tab is closed or reloaded, and does not hang up: the call waits for a softphone as long as
 * the gateway allows, so a reload can take it over. Signing out does hang up.
 */
function useLeaving(call: { readonly current: SoftphoneCall | undefined }, inCall: boolean): void {
  useEffect(() => {
    const retryNow = () => call.current?.retryNow();
    window.addEventListener("online", retryNow);
    return () => {
      window.removeEventListener("online", retryNow);
      call.current?.hangUp();
    };
  }, [call]);
  useEffect(() => {
    if (!inCall) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [inCall]);
}
