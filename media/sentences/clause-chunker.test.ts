import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIRST_CHUNK_CASES, SENTENCE_CASES } from "./clause-chunker.cases.ts";
import { ClauseChunker } from "./clause-chunker.ts";

/** Pushes each token, then flushes. */
function chunk(tokens: Iterable<string>): string[] {
  const chunker = new ClauseChunker();
  const chunks = [...tokens].flatMap((token) => chunker.push(token));
  return [...chunks, ...chunker.flush()];
}

/** Cuts `text` one character at a time behind a first chunk, so that neither merging nor haste shows. */
function sentencesOf(text: string): string[] {
  const chunker = new ClauseChunker();
  chunker.push("Start!\n\n");
  const chunks = [...text].flatMap((char) => chunker.push(char));
  return [...chunks, ...chunker.flush()].filter((sentence) => sentence !== "Start!");
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");

/** Text made of what is hard to cut. */
const hardText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        " ",
        " ",
        " ",
        "\n",
        "\n\n",
        ". ",
        ", ",
        "? ",
        "! ",
        "...",
        "…",
        "。",
        "，",
        "।",
        "؟ ",
        ": ",
        "—",
        " - ",
      ),
      fc.constantFrom(
        "Dr.",
        "e.g.",
        "U.S.",
        "No.",
        "5",
        "3.14",
        "1.",
        "p.m.",
        "etc.",
        "a@b.example",
        "St.",
        "a.m.",
        "ft.",
        "2.",
        "you.Okay",
        "Yahoo!",
        "https://x.example/y.z?q=1",
      ),
      fc.constantFrom(
        "the",
        "Word",
        "and",
        "So",
        "你好",
        "世界",
        "नमस्ते",
        "Mai",
        "am 3. Okt",
        "É",
        "I",
        "well-known",
      ),
      fc.constantFrom(
        "**",
        "*",
        "_",
        "`",
        "#",
        "- ",
        "\n- ",
        "\n## ",
        '"',
        "”",
        "(",
        ")",
        "'",
        "🎉",
        "👨‍👩‍👧",
        "1️⃣",
        "]",
        "|",
      ),
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.join(""));

/** `text` in tokens of random lengths, characters of several units kept whole. */
function tokenize(text: string, lengths: number[]): string[] {
  const chars = [...text];
  const tokens: string[] = [];
  for (let i = 0, at = 0; at < chars.length; i++) {
    const length = lengths[i % lengths.length] ?? 1;
    tokens.push(chars.slice(at, at + length).join(""));
    at += length;
  }
  return tokens;
}
const tokenLengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 });

describe("sentences", () => {
  it.each(SENTENCE_CASES)("are found with %s", (_what, text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });
});

describe("the first chunk", () => {
  it.each(FIRST_CHUNK_CASES)("leaves %s", (_what, text, first) => {
    expect(chunk(text)[0]).toBe(first);
    expect(chunk([text])[0]).toBe(first);
  });

  it("leaves as soon as the character behind the pause is there", () => {
    const chunker = new ClauseChunker();
    expect(["Of", " course", ",", " I", " can"].map((token) => chunker.push(token))).toEqual([
      [],
      [],
      [],
      ["Of course,"],
      [],
    ]);
    expect(chunker.pending).toBe("I can");
  });

  it("is never joined with the next one", () => {
    expect(chunk(["Hi. I am here. You too. "])).toEqual(["Hi.", "I am here. You too."]);
  });
});

describe("later chunks", () => {
  it("are whole sentences, not clauses", () => {
    expect(chunk("Well, yes. This one, however, is long: it goes on.")).toEqual([
      "Well, yes.",
      "This one, however, is long: it goes on.",
    ]);
  });

  it("join short sentences that come together, up to about 60 characters", () => {
    const text = "First. Number two is here. Number three is here as well. Number four.";
    expect(chunk([text])).toEqual([
      "First.",
      "Number two is here. Number three is here as well.",
      "Number four.",
    ]);
    expect(chunk(text)).toEqual([
      "First.",
      "Number two is here.",
      "Number three is here as well.",
      "Number four.",
    ]);
  });

  it("are cut at a pause before 250 characters when no sentence ends", () => {
    const clause = "and this clause goes on and on and on without an end, ";
    const chunks = chunk(["Go. ", clause.repeat(12)]);
    expect(Math.max(...chunks.map((c) => c.length))).toBeLessThanOrEqual(250);
    for (const c of chunks.slice(1)) expect(c).toMatch(/,$/);
  });

  it("are cut at a blank when there is no pause either, and at the limit when there is no blank", () => {
    expect(chunk(["Go. ", "word ".repeat(100)])[1]).toMatch(/^word( word)+$/);
    const solid = chunk(["Go. ", "𠀀".repeat(400)]);
    expect(solid.slice(1).join("")).toBe("𠀀".repeat(400));
  });
});

describe("a terminator", () => {
  it("is no boundary until the next character is known", () => {
    const chunker = new ClauseChunker();
    expect([..."It is 3."].flatMap((char) => chunker.push(char))).toEqual([]);
    expect(chunker.push("14")).toEqual([]);
    expect(chunker.push(" today. ")).toEqual(["It is 3.14 today."]);
  });

  it("is one when the stream ends", () => {
    const chunker = new ClauseChunker();
    chunker.push("It is 3.");
    expect(chunker.flush()).toEqual(["It is 3."]);
    expect(chunker.pending).toBe("");
    expect(chunker.flush()).toEqual([]);
  });
});

describe("a dash before a line break", () => {
  it("is a pause, whether blank and break come in one token or in two", () => {
    const first = (...tokens: string[]) => chunk([...tokens, "there is more."])[0];
    expect(first("Well now - \n")).toBe("Well now -");
    expect(first("Well now - ", "\n")).toBe("Well now -");
  });
});

describe("any text in any tokens", () => {
  it("loses nothing that can be said, and adds nothing", () => {
    fc.assert(
      fc.property(hardText, tokenLengths, (text, lengths) => {
        const spoken = chunk(tokenize(text, lengths)).join("");
        expect(lettersOf(spoken)).toBe(lettersOf(text.replaceAll("https://", "")));
      }),
      { numRuns: 1_000 },
    );
  });

  it("never gives an empty or over-long chunk", () => {
    fc.assert(
      fc.property(fc.oneof(hardText, fc.string({ maxLength: 900 })), tokenLengths, (text, lengths) => {
        for (const piece of chunk(tokenize(text, lengths))) {
          expect(piece).toMatch(/[\p{L}\p{N}]/u);
          expect(piece.length).toBeLessThanOrEqual(250);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("is cut in the same places, whatever the tokens; larger ones only join neighbors", () => {
    fc.assert(
      fc.property(hardText, tokenLengths, (text, lengths) => {
        const finest = chunk(text);
        const joined = chunk(tokenize(text, lengths));
        expect(joined[0]).toBe(finest[0]);
        let next = 0;
        for (const piece of joined) {
          let built = finest[next++];
          while (built !== piece && next < finest.length) built = `${built} ${finest[next++]}`;
          expect(built).toBe(piece);
        }
        expect(next).toBe(finest.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is held in bounded memory", () => {
    const chunker = new ClauseChunker();
    for (let i = 0; i < 5_000; i++) {
      chunker.push(i % 3 === 0 ? "*" : " \n");
      expect(chunker.pending.length).toBeLessThan(300);
    }
  });
});
