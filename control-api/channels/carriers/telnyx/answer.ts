import type { CarrierAnswer } from "../carrier.ts";

/** Media socket fields, for dialing as for answering. */
export function streamFields(mediaUrl: string) {
  return {
    stream_url: mediaUrl,
    stream_track: "inbound_track",
    stream_bidirectional_mode: "rtp",
    stream_bidirectional_codec: "PCMU",
    stream_bidirectional_sampling_rate: 8_000,
  };
}

/** Telnyx takes commands over its API; the reply to a webhook carries none. */
export const NOTHING: CarrierAnswer = { contentType: "application/json", body: "{}" };
