import type { CarrierAnswer } from "../carrier.ts";

/** Where and how Telnyx opens the media socket, in a dial as in an answer. */
export function streamFields(mediaUrl: string) {
  return {
    stream_url: mediaUrl,
    stream_track: "inbound_track",
    stream_bidirectional_mode: "rtp",
    stream_bidirectional_codec: "PCMU",
    stream_bidirectional_sampling_rate: 8_000,
  };
}

/** Telnyx is told what to do by commands; what a webhook is answered with says nothing. */
export const NOTHING: CarrierAnswer = { contentType: "application/json", body: "{}" };
