import { Microphone, type MicrophoneOptions } from "../talk/microphone.ts";
import { Player, type PlayerOptions } from "../talk/player.ts";

/** What the far end is heard by. See `Player`. */
export type Speaker = Pick<Player, "play" | "mark" | "clear" | "close" | "switchSpeaker">;
/** See `Microphone`. */
export type OpenedMicrophone = Pick<Microphone, "close">;

/** The devices of a call, so that it runs without a browser in tests. */
export interface SoftphoneDevices {
  openSpeaker(options: PlayerOptions): Promise<Speaker>;
  /** @throws MicrophoneError */
  openMicrophone(options: MicrophoneOptions, signal: AbortSignal): Promise<OpenedMicrophone>;
}

/** The real ones of this browser. */
export const browserDevices: SoftphoneDevices = {
  openSpeaker: (options) => Player.open(options),
  openMicrophone: (options, signal) => Microphone.open(options, signal),
};
