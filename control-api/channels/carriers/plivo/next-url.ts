import type { CarrierAnswer, Transfer } from "../carrier.ts";
import { dialXml, roomXml } from "./answer.ts";

/**
 * Plivo accepts no XML with a command: it fetches the XML from an address. The address's query, which Plivo signs, says
 * what to reply.
 */
const DIAL_TO = "transferTo";
const DIAL_FROM = "transferFrom";
const RING_SECS = "ringSecs";
const ROOM = "room";
const WHISPERED = "briefed";

export function dialUrl({ to, from, callbackUrl, ringTimeoutSecs }: Transfer): string {
  return withQuery(callbackUrl, { [DIAL_TO]: to, [DIAL_FROM]: from, [RING_SECS]: String(ringTimeoutSecs) });
}

export function roomUrl(callbackUrl: string, room: string): string {
  return withQuery(callbackUrl, { [ROOM]: room });
}

/** Fetched once the whisper was heard. */
export function whisperedUrl(callbackUrl: string): string {
  return withQuery(callbackUrl, { [WHISPERED]: "1" });
}

export function isWhispered(address: string): boolean {
  return new URL(address).searchParams.has(WHISPERED);
}

/** The reply that the address asks for; undefined when it asks for none. */
export function answerTo(address: string): CarrierAnswer | undefined {
  const url = new URL(address);
  const [to, from, room] = [DIAL_TO, DIAL_FROM, ROOM].map((name) => url.searchParams.get(name) ?? undefined);
  if (room !== undefined) return roomXml(room);
  if (to === undefined || from === undefined) return undefined;
  const ringTimeoutSecs = Number(url.searchParams.get(RING_SECS));
  url.search = "";
  return dialXml({ to, from, callbackUrl: url.href, ringTimeoutSecs });
}

function withQuery(callbackUrl: string, query: Record<string, string>): string {
  const url = new URL(callbackUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
