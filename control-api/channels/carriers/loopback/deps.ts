import type { Channels } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { CarrierEvent } from "../carrier.ts";
import type { PhoneVoice } from "./phone-voice.ts";
import type { PhoneScript } from "./script.ts";
import type { OpenTrack } from "./spoken-tracks.ts";

/** What the simulated phones live on. */
export interface LoopbackDeps {
  readonly clock: Clock;
  readonly channels: Channels;
  readonly voice: PhoneVoice;
  readonly openTrack: OpenTrack;
  readonly log: Pick<Logger, "warn">;
  /** What real carriers post. */
  readonly onEvent: (sessionId: string, event: CarrierEvent, transferId?: string) => void;
  /** The phone behind a number; those of docs/phones.md#the-loopback-numbers when absent. */
  readonly scripts?: ((number: string) => PhoneScript) | undefined;
  /** What the person on a phone hears, 16 kHz. */
  readonly onHeard?: ((call: { sessionId: string; samples: Int16Array }) => void) | undefined;
}
