import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;
const CODES = { servfail: 2, nxdomain: 3 } as const;
const ANSWER_FLAGS = 0x8180;

/** Addresses of both families, or another answer; "silence" gives no answer. */
export type Zone = readonly string[] | "nxdomain" | "servfail" | "silence";

/** A UDP name server on loopback that serves a test's zones (RFC 1035, 4). */
export class TestNameServer {
  /** Zones by name; other names do not exist. */
  readonly zones = new Map<string, Zone>();
  /** Every requested name, once per question. */
  readonly asked: string[] = [];
  readonly #socket = createSocket("udp4");

  static async start(zones: Readonly<Record<string, Zone>> = {}): Promise<TestNameServer> {
    const server = new TestNameServer();
    for (const [name, zone] of Object.entries(zones)) server.zones.set(name, zone);
    server.#socket.on("message", (query, from) => server.#answer(query, from));
    server.#socket.bind(0, "127.0.0.1");
    await once(server.#socket, "listening");
    return server;
  }

  /** Address in the form of DNS_SERVERS. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  close(): void {
    this.#socket.close();
  }

  #answer(query: Buffer, from: RemoteInfo): void {
    const { name, type, end } = questionIn(query);
    this.asked.push(name);
    const zone = this.zones.get(name) ?? "nxdomain";
    if (zone === "silence") return;
    const code = typeof zone === "string" ? CODES[zone] : 0;
    const records = (typeof zone === "string" ? [] : zone)
      .filter((address) => (isIPv6(address) ? TYPE_AAAA : TYPE_A) === type)
      .map((address) => recordOf(address, type));
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(ANSWER_FLAGS | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const question = query.subarray(HEADER_BYTES, end);
    this.#socket.send(Buffer.concat([header, question, ...records]), from.port, from.address);
  }
}

function questionIn(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordOf(address: string, type: number): Buffer {
  const data = isIPv6(address) ? v6Bytes(address) : Buffer.from(address.split(".").map(Number));
  const head = Buffer.alloc(12);
  // The question's name, with a TTL of 0.
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function v6Bytes(address: string): Buffer {
  const [head = "", tail = ""] = address.split("::");
  const [before, after] = [head.split(":").filter(Boolean), tail.split(":").filter(Boolean)];
  const groups = [...before, ...Array(8 - before.length - after.length).fill("0"), ...after];
  const bytes = Buffer.alloc(16);
  for (const [index, group] of groups.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  return bytes;
}
