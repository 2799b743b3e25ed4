import type { RingingCall } from "@parley/shared/contracts/softphones.ts";
import { createContext, use } from "react";
import type { SoftphoneView } from "./softphone-view.ts";
import type { AudioDevices } from "./use-audio-devices.ts";
import type { Incoming } from "./use-incoming.ts";
import type { Levels, LineActions } from "./use-line.ts";
import type { OwnCalls, OwnNumbers } from "./use-own-calls.ts";

/** What a person can do with the softphone. */
export interface PhoneActions extends Omit<LineActions, "begin" | "transferring"> {
  /** @param to E.164; `listen` allows calling without a microphone */
  dial(to: string, without?: "listen"): void;
  answer(call: RingingCall): void;
  /**
   * Answers instead of the current call, which is then hung up. Throws `ApiError`, and the current call
   * continues.
   */
  endAndAnswer(call: RingingCall): Promise<void>;
  /** Throws `ApiError`. */
  decline(call: RingingCall): Promise<void>;
  takeOver(sessionId: string): void;
  /** Throws `ApiError`. */
  transfer(to: string): Promise<void>;
}

/** This tab's softphone: keeps ringing and talking whichever page is shown. */
export interface Softphone {
  /** False for read-only roles. */
  readonly mayCall: boolean;
  readonly view: SoftphoneView;
  readonly levels: Levels;
  readonly actions: PhoneActions;
  readonly devices: AudioDevices;
  readonly incoming: Incoming;
  readonly own: OwnCalls;
  readonly numbers: OwnNumbers;
}

export const SoftphoneContext = createContext<Softphone | undefined>(undefined);

export function useSoftphone(): Softphone {
  const softphone = use(SoftphoneContext);
  if (!softphone) throw new Error("there is no SoftphoneContext above");
  return softphone;
}
