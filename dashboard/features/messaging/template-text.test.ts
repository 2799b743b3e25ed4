import { describe, expect, it } from "vitest";
import { filledIn, templateText } from "./template-text.ts";

const body = (text: string) => ({ type: "BODY", text });
const header = (text: string) => ({ type: "HEADER", format: "TEXT", text });

describe("a template", () => {
  it("has blanks in its header beside those in its body, each filled in where it is", () => {
    const template = templateText([header("Order {{1}}"), body("Hello {{2}}, it is {{1}}. {{1}}!")]);
    expect(template).toEqual({
      text: "Order {{1}}\nHello {{2}}, it is {{1}}. {{1}}!",
      header: ["1"],
      body: ["1", "2"],
      problem: undefined,
    });
    expect(filledIn(template, (part, blank) => `${part} ${blank}`)).toEqual([
      { type: "header", parameters: [{ type: "text", text: "header 1" }] },
      {
        type: "body",
        parameters: [
          { type: "text", text: "body 1" },
          { type: "text", text: "body 2" },
        ],
      },
    ]);
  });

  it("may name its blanks, which are then filled in by name", () => {
    const template = templateText([body("Hello {{customer_name}}.")]);
    expect(filledIn(template, () => "Ada")).toEqual([
      { type: "body", parameters: [{ type: "text", parameter_name: "customer_name", text: "Ada" }] },
    ]);
  });

  it("without blanks has nothing to fill in", () => {
    expect(filledIn(templateText([body("Hello.")]), () => "")).toEqual([]);
  });

  it.each([
    [[{ type: "HEADER", format: "IMAGE" }, body("Hello")], /header is of type image/],
    [[body("Hello"), { type: "BUTTONS", buttons: [{ type: "URL", url: "https://a.com/{{1}}" }] }], /button/],
    [[body("{{1}}"), { type: "BUTTONS", buttons: [{ type: "OTP" }] }], /button/],
  ])("with more than text to fill in says that a page cannot: %j", (components, problem) => {
    expect(templateText(components).problem).toMatch(problem);
  });
});
