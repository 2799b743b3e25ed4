import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TWILIO_ACCOUNT } from "../testkit/fakes/carriers/twilio.ts";
import { TestPhoneCompany } from "../testkit/phone-company.ts";
import { ROOT, TestProduct } from "../testkit/product.ts";

const run = promisify(execFile);
const NUMBER = "+12025550141";

let twilio: TestPhoneCompany;
beforeAll(async () => {
  twilio = await TestPhoneCompany.start("twilio");
});
afterAll(() => twilio.close());

/** Adds the number and gives the address that Twilio is to call. */
type Way = (product: TestProduct) => Promise<string>;

const byScript: Way = async (product) => {
  const webhookUrl = await addedByScript(product, "+12025550143");
  // A second number of the same account.
  expect(await addedByScript(product, NUMBER)).toBe(webhookUrl);
  return webhookUrl;
};

async function addedByScript({ dataDir }: TestProduct, number: string): Promise<string> {
  const { stdout } = await run(join(ROOT, "examples/twilio-number.sh"), [number], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.accountSid,
      TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
    },
  });
  expect(stdout).not.toContain(TWILIO_ACCOUNT.authToken);
  return stdout.trim().split("\n").at(-1) ?? "";
}

/** The shell command of docs/phones.md that asks at this path. */
async function documented(path: string): Promise<string> {
  const docs = await readFile(join(ROOT, "docs/phones.md"), "utf8");
  const blocks = [...docs.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) =>
    block.replace(/^ {3}/gm, ""),
  );
  const command = blocks.find((block) => block.startsWith(`curl -X POST "$URL${path}"`));
  if (command === undefined) throw new Error(`docs/phones.md has no command for ${path}`);
  return command;
}

const byHand: Way = async ({ demo }) => {
  const { baseUrl, orgId, apiKey, agentId, owner } = demo;
  const login = await fetch(`${baseUrl}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(owner),
  });
  const { data } = (await login.json()) as { data: { tokens: { accessToken: string } } };
  const env = {
    ...{ PATH: process.env.PATH, URL: baseUrl, ORG: orgId, KEY: apiKey },
    TOKEN: data.tokens.accessToken,
  };
  const shell = async (command: string): Promise<Record<string, unknown>> =>
    JSON.parse((await run("sh", ["-c", command], { env })).stdout);
  const { accountSid, authToken } = TWILIO_ACCOUNT;
  const connect = (await documented("/api/orgs/$ORG/carriers"))
    .replace("AC…", accountSid)
    .replace('"authToken": "…"', `"authToken": "${authToken}"`);
  const connected = await shell(connect);
  expect(connected).toMatchObject({ success: true, data: { carrier: "twilio" } });
  const add = (await documented("/api/v1/numbers")).replace("+12025550100", NUMBER).replace("agt_…", agentId);
  expect(await shell(add)).toMatchObject({ number: NUMBER, carrier: "twilio", agentId });
  return `${baseUrl}/api/public/carriers/${(connected.data as { id: string }).id}/inbound`;
};

describe("a Twilio number", () => {
  it.each<[string, Way]>([
    ["the shell example adds", byScript],
    ["the documentation's commands add, one after the other,", byHand],
  ])(
    "that %s is answered by the agent",
    async (_, add) => {
      const product = await TestProduct.start({ TWILIO_API_URL: twilio.carrier.url });
      onTestFinished(() => product.remove());
      const webhookUrl = await add(product);
      expect(webhookUrl).toMatch(/\/api\/public\/carriers\/con_\w+\/inbound$/);
      const call = await twilio.callIn({ from: "+12025550142", to: NUMBER }, webhookUrl);
      const phone = await twilio.phoneOf(call);
      await expect.poll(() => phone.playedMarks.length, { timeout: 90_000 }).toBeGreaterThan(0);
    },
    60_000,
  );
});
