import { ClauseChunker } from "@parley/media/sentences/clause-chunker.ts";
import { readSse } from "@parley/media/vendor-requests/sse.ts";
import type { Unit, Way } from "./unit.ts";

const ANSWER =
  "We have a table free tomorrow evening, by the window. Shall I book it for you, Dr. Smith? " +
  "It costs 12.50 a head and comes with bread, olives and a glass of wine. ";
const TOKENS = ANSWER.split(/(?<= )/);
/** Events per network chunk. */
const EVENTS_A_CHUNK = 4;

/** All processing of an answer's text. */
export function textUnits(): Unit[] {
  return [chunkerUnit(), sseUnit()];
}

function chunkerUnit(): Unit {
  return {
    id: "chunker",
    title: "clause chunker, a token",
    units: TOKENS.length,
    ours: () => {
      const chunker = new ClauseChunker();
      let chunks = 0;
      for (const token of TOKENS) chunks += chunker.push(token).length;
      return chunks + chunker.flush().length;
    },
    peer: segmenter(),
  };
}

/** The platform's way: all but the last sentence so far can be spoken. */
function segmenter(): Way {
  const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
  return {
    name: "Intl.Segmenter",
    units: TOKENS.length,
    run: () => {
      let text = "";
      let chunks = 0;
      for (const token of TOKENS) {
        text += token;
        const parts = [...sentences.segment(text)];
        chunks += parts.length - 1;
        text = parts.at(-1)?.segment ?? "";
      }
      return chunks;
    },
  };
}

/**
 * The reader of the speech vendors' events, with the same parser, decoder and bounds as the gateway's brain
 * reader: this workspace does not import the gateway.
 */
function sseUnit(): Unit {
  const text = TOKENS.map((token) => `data: ${JSON.stringify(token)}\n\n`);
  const bytes: Buffer[] = [];
  for (let at = 0; at < text.length; at += EVENTS_A_CHUNK) {
    bytes.push(Buffer.from(text.slice(at, at + EVENTS_A_CHUNK).join("")));
  }
  return {
    id: "sse",
    title: "SSE parser, an event",
    units: TOKENS.length,
    ours: async () => {
      let chars = 0;
      for await (const data of readSse("bench", arriving(bytes))) chars += data.length;
      return chars;
    },
    limit: {
      name: "decoding the bytes",
      units: TOKENS.length,
      run: async () => {
        const decoder = new TextDecoder();
        let chars = 0;
        for await (const chunk of arriving(bytes)) chars += decoder.decode(chunk, { stream: true }).length;
        return chars;
      },
    },
    peer: { name: "split at blank lines", units: TOKENS.length, run: () => splitAtBlankLines(bytes) },
  };
}

/** What one writes in five minutes: handles one data line per event, and nothing else of the standard. */
async function splitAtBlankLines(bytes: readonly Buffer[]): Promise<number> {
  const decoder = new TextDecoder();
  let rest = "";
  let chars = 0;
  for await (const chunk of arriving(bytes)) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) chars += event.slice("data: ".length).length;
  }
  return chars;
}

async function* arriving(bytes: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* bytes;
}
