import type { CallDevices } from "./devices.ts";
import { Microphone } from "./microphone.ts";
import { Player } from "./player.ts";
import { Recognition } from "./recognition.ts";

/** The real devices of this browser. */
export const browserDevices: CallDevices = {
  openLoudspeaker: (options) => Player.open(options),
  openMicrophone: (options, signal) => Microphone.open(options, signal),
  createRecognizer: (options) => Recognition.create(options),
};
