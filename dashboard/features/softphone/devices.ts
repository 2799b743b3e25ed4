import { Microphone, type MicrophoneOptions } from "../talk/microphone.ts";
import { Player, type PlayerOptions } from "../talk/player.ts";

/** Plays the far end. See `Player`. */
export type Speaker = Pick<Player, "play" | "mark" | "clear" | "close" | "switchSpeaker">;
/** See `Microphone`. */
export type OpenedMicrophone = Pick<Microphone, "close">;

/** A call's devices, injected so that tests run without a browser. */
export interface SoftphoneDevices {
  openSpeaker(options: PlayerOptions): Promise<Speaker>;
  /** @throws MicrophoneError */
  openMicrophone(options: MicrophoneOptions, signal: AbortSignal): Promise<OpenedMicrophone>;
}

/** This browser's real devices. */
export const browserDevices: SoftphoneDevices = {
  openSpeaker: (options) => Player.open(options),
  openMicrophone: (options, signal) => Microphone.open(options, signal),
};
