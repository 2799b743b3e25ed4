import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSecretKeys, SecretBox } from "./secret-box.ts";

const key = (keyId: string) => `${keyId}:${randomBytes(32).toString("base64")}`;
const OLD = key("old");
const NEW = key("new");
const box = new SecretBox(OLD);

describe("a secret box", () => {
  it("gives back what was sealed, whatever it was, and shows none of it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (secret, context) => {
        const sealed = box.seal(secret, context);
        expect(box.open(sealed, context)).toBe(secret);
        expect(sealed).toMatch(/^v1\.old\.[A-Za-z0-9_-]+$/);
      }),
    );
  });

  it("seals the same secret differently each time", () => {
    const sealed = Array.from({ length: 100 }, () => box.seal("same", "here"));
    expect(new Set(sealed).size).toBe(100);
  });

  it("opens with the old key what was sealed before a new one was put in front", () => {
    const rotated = new SecretBox(`${NEW}, ${OLD}`);
    expect(rotated.open(box.seal("s", "c"), "c")).toBe("s");
    expect(rotated.seal("s", "c")).toMatch(/^v1\.new\./);
    expect(() => box.open(rotated.seal("s", "c"), "c")).toThrow("SECRETS_KEY");
  });

  it("does not open in another place, nor under another key of the same name", () => {
    const sealed = box.seal("s", "agent:agt_1:brain.secret");
    expect(() => box.open(sealed, "agent:agt_2:brain.secret")).toThrow("does not belong here");
    expect(() => new SecretBox(key("old")).open(sealed, "agent:agt_1:brain.secret")).toThrow();
  });

  it("does not open when any one byte was changed", () => {
    const sealed = box.seal("secret", "c");
    const [version, keyId, body = ""] = sealed.split(".");
    const bytes = Buffer.from(body, "base64url");
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => box.open(`${version}.${keyId}.${changed.toString("base64url")}`, "c")).toThrow();
    }
  });

  it("refuses any other text with words that hold none of it", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => box.open(text, "c")).toThrow(/stored secret/);
      }),
    );
  });
});

describe("SECRETS_KEY", () => {
  it.each(
    [
      [
        "",
        "k",
        "k:short",
        `:${randomBytes(32).toString("base64")}`,
        `k:${randomBytes(31).toString("base64")}`,
      ],
      [`k:${randomBytes(33).toString("base64")}`, `${OLD},`, `${OLD},${OLD}`, `a b:${OLD.slice(4)}`],
    ].flat(),
  )("is refused when it is %j", (text) => {
    expect(parseSecretKeys(text)).toBeUndefined();
    expect(() => new SecretBox(text)).toThrow("SECRETS_KEY");
  });
});
