import { once } from "node:events";
import { WebSocket } from "ws";

/**
 * A client with no manners, in a process of its own so that its work is not the drill's.
 * `node hostile-process.ts <attack> <websocket url> <amount>`; prints its `HostileReport` as JSON at its end.
 */
export interface HostileReport {
  /** How many sockets were closed with which code. */
  readonly closed: Readonly<Record<number, number>>;
  readonly sent: number;
  /** Codes of the errors it was told. */
  readonly errors: readonly string[];
}

/** A tenth of a second's share of 10,000 messages a second. */
const BURST = 1_000;
const BURST_EVERY_MS = 100;
/** A few at a time: a backlog of connections would be refused by the kernel, not by the gateway. */
const CONNECT_AT_ONCE = 50;

async function connect(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  await once(socket, "open");
  return socket;
}

async function codeOf(socket: WebSocket): Promise<number> {
  const [code] = (await once(socket, "close")) as [number];
  return code;
}

/** `amount` sockets that never say anything. */
async function mute(url: string, amount: number): Promise<HostileReport> {
  const closed: Record<number, number> = {};
  const codes: Promise<number>[] = [];
  while (codes.length < amount) {
    const share = Math.min(CONNECT_AT_ONCE, amount - codes.length);
    const sockets = await Promise.all(Array.from({ length: share }, () => connect(url)));
    codes.push(...sockets.map(codeOf));
  }
  for (const code of await Promise.all(codes)) closed[code] = (closed[code] ?? 0) + 1;
  return { closed, sent: 0, errors: [] };
}

/** Starts a call and sends `message` 10,000 times a second for `amount` ms, or until it is thrown out. */
async function flood(url: string, amount: number, message: string): Promise<HostileReport> {
  const socket = await connect(url);
  const errors = new Set<string>();
  socket.on("message", (data, isBinary) => {
    const { type, code } = isBinary ? { type: "audio" } : JSON.parse(String(data));
    if (type === "error") errors.add(code);
  });
  const closed = codeOf(socket);
  socket.send('{"type":"start"}');
  let sent = 0;
  const endMs = performance.now() + amount;
  while (socket.readyState === WebSocket.OPEN && performance.now() < endMs) {
    for (let i = 0; i < BURST; i++) socket.send(message);
    sent += BURST;
    await new Promise((resolve) => setTimeout(resolve, BURST_EVERY_MS));
  }
  socket.send('{"type":"hangup"}');
  socket.terminate();
  return { closed: { [await closed]: 1 }, sent, errors: [...errors] };
}

/** Starts a call with the heaviest audio there is, asks for a long answer and reads nothing for `amount` ms. */
async function deaf(url: string, amount: number): Promise<HostileReport> {
  const socket = await connect(url);
  const closed = codeOf(socket);
  socket.send('{"type":"start","audio":{"encoding":"pcm_s16le","sampleRate":48000}}');
  socket.send('{"type":"text","text":"Tell me everything."}');
  socket.pause();
  await new Promise((resolve) => setTimeout(resolve, amount));
  socket.terminate();
  return { closed: { [await closed]: 1 }, sent: 2, errors: [] };
}

const ATTACKS: Readonly<Record<string, (url: string, amount: number) => Promise<HostileReport>>> = {
  mute,
  deaf,
  flood: (url, amount) => flood(url, amount, '{"type":"mark","name":"x"}'),
  nonsense: (url, amount) => flood(url, amount, '{"type":"mark"'),
};

const [attack = "", url = "", amount = ""] = process.argv.slice(2);
const report = await ATTACKS[attack]?.(url, Number(amount));
console.log(JSON.stringify(report));
