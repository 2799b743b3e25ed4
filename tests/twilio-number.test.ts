import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { TWILIO_ACCOUNT } from "@parley/control-api/carriers/fakes/twilio.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestPhoneCompany } from "./support/phone-company.ts";
import { ROOT, TestProduct } from "./support/product.ts";

const run = promisify(execFile);
const NUMBER = "+12025550141";

let twilio: TestPhoneCompany;
let product: TestProduct;
beforeAll(async () => {
  twilio = await TestPhoneCompany.start("twilio");
  product = await TestProduct.start({ TWILIO_API_URL: twilio.carrier.url });
});
afterAll(async () => {
  await product.remove();
  await twilio.close();
});

it("a Twilio number that the shell example adds is answered by the agent", async () => {
  const { stdout } = await run(join(ROOT, "examples/twilio-number.sh"), [NUMBER], {
    cwd: product.dataDir,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: product.dataDir,
      TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.accountSid,
      TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
    },
  });
  expect(stdout).not.toContain(TWILIO_ACCOUNT.authToken);
  const webhookUrl = stdout.trim().split("\n").at(-1) ?? "";
  expect(webhookUrl).toMatch(/\/api\/public\/carriers\/con_\w+\/inbound$/);
  const call = await twilio.callIn({ from: "+12025550142", to: NUMBER }, webhookUrl);
  const phone = await twilio.phoneOf(call);
  await expect.poll(() => phone.playedMarks.length, { timeout: 15_000 }).toBeGreaterThan(0);
}, 60_000);
