import { BridgeError } from "@parley/platform/wire/errors.ts";
import { type BridgeResponse, responseSchema } from "@parley/platform/wire/messages.ts";
import type { Channels } from "@parley/shared/bus/bus.ts";
import { request, serve } from "@parley/shared/bus/request-reply.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import type { FastifyReply } from "fastify";
import type { StreamsDeps } from "./deps.ts";
import { OpenStreams } from "./open-streams.ts";
import { type OpenedBy, PageStream } from "./page-stream.ts";
import { type Relayed, relayedSchema } from "./relayed.ts";

const ID_BYTES = 16;
/** To another node and back. */
const RELAY_MS = 5_000;
/** A page opens one stream, whatever it shows. */
const BOUNDS = { perMember: 16, perOrg: 1_000 };

/**
 * Streams that carry all subscriptions of a page, opened by one request and filled by others, which may reach other
 * nodes: browsers open few connections, and a page may show many frames.
 */
export class PageStreams {
  readonly #deps: StreamsDeps;
  readonly #open = new OpenStreams<PageStream>(BOUNDS);

  constructor(deps: StreamsDeps) {
    this.#deps = deps;
  }

  /**
   * Streams events as the response until either side ends it; the first one says its name. Throws `AppError`
   * too_many_requests.
   */
  open(by: OpenedBy, reply: FastifyReply): FastifyReply {
    this.#open.assertRoom(by.member);
    const streamId = `str_${randomToken(ID_BYTES)}`;
    const stream = new PageStream(streamId, by, {
      ...this.#deps,
      onEnded: () => this.#open.delete(stream),
      serve: (handler) =>
        serve(this.#deps.channels, channelOf(streamId), async (payload) =>
          JSON.stringify(await handler(relayedSchema.parse(JSON.parse(payload)))),
        ),
    });
    this.#open.add(stream, by.member);
    void stream.begin();
    return stream.answer(reply);
  }

  /** Ends all streams when the server stops. */
  async stop(): Promise<void> {
    await Promise.all(this.#open.all().map((stream) => stream.end()));
  }
}

/**
 * Brings a subscription, or the end of one, to the node that holds the stream. Never rejects: where no node answers,
 * the stream is over.
 */
export async function relay(
  { id, streamId, ...relayed }: Relayed & { readonly id: number; readonly streamId: string },
  { channels, clock }: { readonly channels: Channels; readonly clock: Clock },
): Promise<BridgeResponse> {
  const question = { payload: JSON.stringify(relayed), deadlineMs: RELAY_MS, clock };
  const answer = await request(channels, channelOf(streamId), question).catch(() => undefined);
  if (answer !== undefined) return responseSchema.parse(JSON.parse(answer));
  const isOver = new BridgeError("canceled", "The stream is over; open another one.");
  return { kind: "error", id, error: isOver.toBody() };
}

function channelOf(streamId: string): string {
  return `app-stream:${streamId}`;
}
