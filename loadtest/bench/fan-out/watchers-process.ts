import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { readStamp } from "./frame.ts";

/**
 * Watches one address with many sockets. Once all are open, times the given number of frames, each from its
 * creation until the last socket has it, prints `watched [ms, …]` and exits.
 *
 * A websocket library would take longer for a thousand sockets than the time being measured, so this reads
 * text frames off plain sockets, all into one buffer.
 */
const [address = "", socketsText = "", framesText = ""] = process.argv.slice(2);
const url = new URL(address);
const sockets = Number(socketsText);
const frames = Number(framesText);
const OPENED_AT_ONCE = 50;
/** Uncounted: the first frames run cold code. */
const WARM_UP_FRAMES = 10;
/** RFC 6455, 5.2: a text message in one frame, and the length code that announces a two-byte length. */
const TEXT = 0x81;
const LONG = 126;

const HEADERS_END = "\r\n\r\n";
const NOTHING = Buffer.alloc(0);

const buffer = Buffer.allocUnsafe(64 * 1024);
const arrived = new Map<number, number>();
const delaysMs: number[] = [];
let firstCounted = Number.POSITIVE_INFINITY;
let newest = 0;

function onFrame(text: string): void {
  const { number, atNs } = readStamp(text);
  newest = Math.max(newest, number);
  if (number < firstCounted) return;
  const count = (arrived.get(number) ?? 0) + 1;
  arrived.set(number, count);
  if (count < sockets) return;
  arrived.delete(number);
  delaysMs.push(Number((process.hrtime.bigint() - atNs) / 1_000n) / 1_000);
  if (delaysMs.length < frames) return;
  console.log(`watched ${JSON.stringify(delaysMs)}`);
  process.exit(0);
}

/** Reads the frames in `bytes`; returns the incomplete rest. */
function readFrames(bytes: Buffer): Buffer {
  let at = 0;
  while (at + 2 <= bytes.length) {
    const isLong = bytes[at + 1] === LONG;
    const from = at + (isLong ? 4 : 2);
    if (from > bytes.length) break;
    const end = from + (isLong ? bytes.readUInt16BE(at + 2) : (bytes[at + 1] ?? 0));
    if (end > bytes.length) break;
    // Non-text is a ping: leaving it unanswered only closes a socket long after the bench.
    if (bytes[at] === TEXT) onFrame(bytes.toString("latin1", from, end));
    at = end;
  }
  return bytes.subarray(at);
}

async function open(): Promise<void> {
  let isUpgraded = false;
  let rest: Buffer = NOTHING;
  const upgraded = Promise.withResolvers<void>();
  // Headers and frames may both arrive in pieces.
  const onRead = (length: number): boolean => {
    const fresh = buffer.subarray(0, length);
    let bytes = rest.length === 0 ? fresh : Buffer.concat([rest, fresh]);
    const headersEnd = isUpgraded ? 0 : bytes.indexOf(HEADERS_END);
    if (!isUpgraded && headersEnd >= 0) {
      const headers = bytes.toString("latin1", 0, headersEnd);
      if (!headers.startsWith("HTTP/1.1 101")) throw new Error(`refused: ${headers}`);
      isUpgraded = true;
      upgraded.resolve();
      bytes = bytes.subarray(headersEnd + HEADERS_END.length);
    }
    const left = isUpgraded ? readFrames(bytes) : bytes;
    rest = left.length === 0 ? NOTHING : Buffer.from(left);
    return true;
  };
  const { hostname: host, port } = url;
  const socket = connect({ host, port: Number(port), onread: { buffer, callback: onRead } });
  await once(socket, "connect");
  const key = randomBytes(16).toString("base64");
  const headers = `Host: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13`;
  socket.write(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\n${headers}\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await upgraded.promise;
}

for (let opened = 0; opened < sockets; opened += OPENED_AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(OPENED_AT_ONCE, sockets - opened) }, open));
}
firstCounted = newest + WARM_UP_FRAMES;
