import type { RingingCall } from "@parley/shared/contracts/softphones.ts";
import { createContext, use } from "react";
import type { SoftphoneView } from "./softphone-view.ts";
import type { AudioDevices } from "./use-audio-devices.ts";
import type { Incoming } from "./use-incoming.ts";
import type { Levels, LineActions } from "./use-line.ts";
import type { OwnCalls, OwnNumbers } from "./use-own-calls.ts";

/** What one can do with the phone. */
export interface PhoneActions extends Omit<LineActions, "begin" | "transferring"> {
  /** @param to E.164; `listen`: also without a microphone */
  dial(to: string, without?: "listen"): void;
  answer(call: RingingCall): void;
  /** Answers in the place of the call that goes on, which is hung up then. Throws `ApiError`, and the call goes on. */
  endAndAnswer(call: RingingCall): Promise<void>;
  /** Throws `ApiError`. */
  decline(call: RingingCall): Promise<void>;
  takeOver(sessionId: string): void;
  /** Throws `ApiError`. */
  transfer(to: string): Promise<void>;
}

/** The phone of this tab: it goes on ringing and talking whichever page of the settings is shown. */
export interface Softphone {
  /** False for roles that may only read. */
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
