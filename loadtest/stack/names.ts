import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

const HEADER_BYTES = 12;
/** After the name of a question: its type and class, of two bytes each. */
const TYPE_AND_CLASS_BYTES = 4;
const TYPE_A = 1;
const CLASS_INTERNET = 1;
/** An answer that knows all there is to know, to a question that wanted recursion. */
const ANSWER_FLAGS = 0x8580;
const NO_SUCH_NAME = 3;
/** Points at the name of the question, which begins after the header. */
const SAME_NAME = 0xc000 + HEADER_BYTES;
const TTL_SECS = 1;
const ADDRESS_BYTES = 4;

/** A name server for one run, as Docker and Kubernetes have one. */
export interface Names {
  /** `host:port`, over UDP. */
  readonly address: string;
  close(): void;
}

/** Answers for IPv4 addresses of names (RFC 1035); a name without one does not exist. */
export async function startNames(addressesOf: (name: string) => readonly string[]): Promise<Names> {
  const socket: Socket = createSocket("udp4");
  socket.on("message", (asked, { port, address }) => {
    const answer = answerTo(asked, addressesOf);
    if (answer) socket.send(answer, port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() };
}

function answerTo(asked: Buffer, addressesOf: (name: string) => readonly string[]): Buffer | undefined {
  const question = readQuestion(asked);
  if (!question) return undefined;
  const { name, type, end } = question;
  const known = addressesOf(name);
  const addresses = type === TYPE_A ? known : [];
  const header = Buffer.alloc(HEADER_BYTES);
  asked.copy(header, 0, 0, 2);
  header.writeUInt16BE(ANSWER_FLAGS + (known.length === 0 ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  return Buffer.concat([header, asked.subarray(HEADER_BYTES, end), ...addresses.map(recordOf)]);
}

/** The first question, without the dot that its name ends with; undefined if the message is cut. */
function readQuestion(asked: Buffer): { name: string; type: number; end: number } | undefined {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = asked[at]; length !== 0; length = asked[at]) {
    if (length === undefined) return undefined;
    labels.push(asked.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 1 + TYPE_AND_CLASS_BYTES;
  return asked.length < end
    ? undefined
    : { name: labels.join(".").toLowerCase(), type: asked.readUInt16BE(at + 1), end };
}

function recordOf(address: string): Buffer {
  const record = Buffer.alloc(HEADER_BYTES + ADDRESS_BYTES);
  record.writeUInt16BE(SAME_NAME, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(CLASS_INTERNET, 4);
  record.writeUInt32BE(TTL_SECS, 6);
  record.writeUInt16BE(ADDRESS_BYTES, 10);
  address.split(".").forEach((part, i) => void record.writeUInt8(Number(part), HEADER_BYTES + i));
  return record;
}
