import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { standardSignature } from "@parley/control-api/webhooks/send.ts";
import { signingKeysOf } from "@parley/control-api/webhooks/signing-keys.ts";
import { signBody } from "@parley/shared/security/signatures.ts";
import { describe, expect, it, onTestFinished } from "vitest";

const SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const BODY = JSON.stringify({ event: "call.ended", text: "café" });
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

describe("the receiver in TypeScript", () => {
  it("takes what is signed, once, and says what is wrong with the rest", async () => {
    const child = spawn(process.execPath, [here("receiver.ts")], {
      env: { ...process.env, PORT: "0", SIGNING_SECRET: SECRET },
    });
    onTestFinished(async () => {
      child.kill();
      await once(child, "exit");
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
    });
    await expect.poll(() => said).toContain("receives on port");
    const url = `http://127.0.0.1:${/port (\d+)/.exec(said)?.[1]}/`;
    const seconds = String(Math.floor(Date.now() / 1_000));
    const deliver = (body: string) =>
      fetch(url, {
        method: "POST",
        headers: {
          "x-service-event": "call.ended",
          "webhook-id": "dlv_1",
          "webhook-timestamp": seconds,
          "webhook-signature": standardSignature(signingKeysOf(SECRET), { id: "dlv_1", seconds, body: BODY }),
        },
        body,
      });
    expect((await deliver(BODY)).status).toBe(200);
    expect((await deliver(BODY)).status).toBe(200);
    const forged = await deliver(BODY.replace("café", "tea"));
    expect([forged.status, await forged.text()]).toEqual([
      400,
      "The signature is not this secret's over these bytes.",
    ]);
    await expect.poll(() => said.match(/call\.ended \{/g)?.length).toBe(1);
  });
});

describe("the shell line", () => {
  it("verifies with openssl", () => {
    const verify = (body: string): boolean => {
      try {
        execFileSync(here("verify.sh"), [SECRET, signBody(SECRET, BODY)], { input: body });
        return true;
      } catch {
        return false;
      }
    };
    expect(verify(BODY)).toBe(true);
    expect(verify(`${BODY} `)).toBe(false);
  });
});
