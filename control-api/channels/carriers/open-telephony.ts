import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { TicketSigner } from "@parley/shared/security/tickets.ts";
import type { Database } from "../../database/open.ts";
import type { StoredFiles } from "../../records/recordings/stored-files.ts";
import type { CarrierEvent } from "./carrier.ts";
import type { Carriers } from "./connections/carriers.ts";
import { InOrder } from "./in-order.ts";
import { findLeg } from "./leg-store.ts";
import type { LoopbackDeps } from "./loopback/deps.ts";
import { createLoopback, type Loopback } from "./loopback/loopback.ts";
import { createPhoneVoice } from "./loopback/phone-voice.ts";
import { SpokenTracks } from "./loopback/spoken-tracks.ts";
import { PhoneCalls } from "./phone-calls.ts";

export interface TelephonyDeps {
  readonly bus: Bus;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly baseUrl: () => string;
  readonly tickets: TicketSigner;
  readonly metrics: Metrics;
  /** Carrier accounts of organizations. */
  readonly carriers: Carriers;
  /** Storage of the tracks that simulated phones play. */
  readonly recordings: StoredFiles;
  /** A test's own phones, in place of the built-in ones. */
  readonly phones?:
    | (Pick<LoopbackDeps, "scripts" | "onHeard"> & Partial<Pick<LoopbackDeps, "voice">>)
    | undefined;
}

/** Assembles carriers and the handling of their events. */
export function openTelephony(deps: TelephonyDeps): {
  phoneCalls: PhoneCalls;
  loopback: Loopback;
  close: () => Promise<void>;
} {
  const { bus, clock, log, phones, carriers } = deps;
  const voice = phones?.voice ?? createPhoneVoice(clock);
  const inOrder = new InOrder();
  const onEvent = (sessionId: string, event: CarrierEvent, transferId?: string): void => {
    const happened = async (): Promise<void> => {
      if (transferId === undefined) return phoneCalls.happened(sessionId, event);
      const leg = await findLeg(deps.database, sessionId);
      if (leg) await phoneCalls.targetHappened(leg, { transferId, event, carrier: loopback });
    };
    inOrder.run(sessionId, happened).catch((error: unknown) => {
      log.warn(
        { event: "carrier_callback_failed", sessionId, err: messageOf(error) },
        "failed to act on a carrier's callback",
      );
    });
  };
  const { open: openTrack } = new SpokenTracks(deps);
  const loopback = createLoopback({
    clock,
    channels: bus.channels,
    log,
    onEvent,
    openTrack,
    ...phones,
    voice,
  });
  const phoneCalls: PhoneCalls = new PhoneCalls({
    ...deps,
    carrierOf: async (orgId, name) => {
      if (name === "loopback") return { carrier: loopback, connectionId: "loopback" };
      const connected = await carriers.find(orgId, name);
      if (connected) return connected;
      throw new AppError(
        "bad_request",
        `The organization has no account at ${name}; connect it under /api/orgs/{orgId}/carriers.`,
      );
    },
  });
  return {
    phoneCalls,
    loopback,
    close: async () => {
      await loopback.close();
      await inOrder.idle();
      await voice.close();
    },
  };
}
