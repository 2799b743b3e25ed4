import type { Channels } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { CarrierEvent } from "../carrier.ts";
import type { PhoneVoice } from "./phone-voice.ts";
import type { PhoneScript } from "./script.ts";
import type { OpenTrack } from "./spoken-tracks.ts";

/** Dependencies of the simulated phones. */
export interface LoopbackDeps {
  readonly clock: Clock;
  readonly channels: Channels;
  readonly voice: PhoneVoice;
  readonly openTrack: OpenTrack;
  readonly log: Pick<Logger, "warn">;
  /** Receives the events that real carriers post. */
  readonly onEvent: (sessionId: string, event: CarrierEvent, transferId?: string) => void;
  /** Script of the phone at a number; defaults to docs/phones.md#the-loopback-numbers. */
  readonly scripts?: ((number: string) => PhoneScript) | undefined;
  /** Receives what the person on a phone hears, at 16 kHz. */
  readonly onHeard?: ((call: { sessionId: string; samples: Int16Array }) => void) | undefined;
}
