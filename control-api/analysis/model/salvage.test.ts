import { describe, expect, it } from "vitest";
import { salvageReply } from "./salvage.ts";

describe("an answer that is not what was asked for", () => {
  it.each([
    ["has words around it", 'Here it is: {"summary":"Fine.","score":71} Hope that helps!'],
    ["is in an object", '{"analysis":{"summary":"Fine.","score":71}}'],
    ["has a number as text", '{"summary":"Fine.","score":"71"}'],
    ["has what JSON has no word for", '{"summary":"Fine.","score":71,"sentimentScore":NaN}'],
    ["has a number without an end", '{"summary":"Fine.","score":71,"sentimentScore":-1e999}'],
  ])("and %s is used as far as it goes", (_what, content) => {
    expect(salvageReply(content)).toMatchObject({
      summary: "Fine.",
      score: 71,
      sentimentScore: null,
      topics: [],
    });
  });

  it("is used by the names of the event, and without quotes", () => {
    const answer = {
      sentiment: " Positive",
      customData: { order: 4711, city: "Delft", odd: { a: 1 } },
      evidence: { sentiment: "great", order: "it is 4711" },
      qa: [{ key: "greeted", met: "yes", evidence: "hello" }, { key: "closed", met: "perhaps" }, "odd"],
      objections: [{ type: "price", text: "too dear" }, 7, "too late"],
    };
    expect(salvageReply(JSON.stringify(answer))).toMatchObject({
      sentiment: "positive",
      sentimentQuote: "great",
      fields: { order: { value: 4711, quote: "it is 4711" }, city: { value: "Delft", quote: null } },
      criteria: { greeted: { met: true, quote: "hello" } },
      objections: ["price: too dear", "too late"],
    });
    expect(salvageReply('{"cx":{"rating":"4"}}')?.cx.rating).toBe(4);
    expect(salvageReply('{"fields":{"city":"Delft"},"criteria":{"greeted":false}}')).toMatchObject({
      fields: { city: { value: "Delft", quote: null } },
      criteria: { greeted: { met: false, quote: null } },
    });
  });

  it.each(["", "I think it went well!", "[1]", "null", "}{"])(
    "and is no object is of no use: %s",
    (content) => {
      expect(salvageReply(content)).toBeUndefined();
    },
  );

  it.each(["{}", '{"error":"overloaded"}', '{"error":{"message":"no"}}', '{"a":{"b":{"summary":"x"}}}'])(
    "and has nothing of it is of no use: %s",
    (content) => {
      expect(salvageReply(content)).toBeUndefined();
    },
  );

  it("is used whatever stands where a text belongs, which is a list of one where a list belongs", () => {
    const hostile = { toString: 1, valueOf: 1 };
    const answer = {
      summary: hostile,
      score: hostile,
      topics: " refund",
      keywords: "",
      objections: hostile,
      cx: { friction: "waited", highlights: 7 },
      qa: [
        { key: hostile, met: true },
        { key: "greeted", met: hostile },
        { key: "closed", met: true },
      ],
    };
    const salvaged = salvageReply(JSON.stringify(answer));
    expect(salvaged).toMatchObject({
      summary: null,
      score: null,
      topics: [" refund"],
      keywords: [],
      objections: [],
      cx: { friction: ["waited"], highlights: [] },
    });
    expect(salvaged?.criteria).toEqual({ closed: { met: true, quote: null } });
    expect(salvageReply(JSON.stringify({ criteria: { greeted: hostile } }))?.criteria).toEqual({});
  });
});
