import type { Campaign } from "@parley/shared/contracts/campaigns.ts";
import { campaignResponseSchema, MAX_TARGETS_PER_REQUEST } from "@parley/shared/contracts/campaigns.ts";
import { webCallResponseSchema } from "@parley/shared/contracts/sessions.ts";
import { z } from "zod";
import { pause } from "../harness/pause.ts";
import { CALLS_PER_MINUTE } from "./size.ts";

const EMAIL = "campaign@bench.example";
const PASSWORD = "a password for the bench";
/** More than the pace needs: the pace alone holds the campaign back. */
const MAX_LIVE = 200;
const LOOK_EVERY_MS = 500;
/** Of ten people four are busy, three hang up at once, three talk (docs/phones.md#the-loopback-numbers). */
const ENDINGS = ["01", "05", "07", "01", "05", "07", "01", "05", "07", "01"] as const;
const NEVER = { times: 0, afterMinutes: 1 };

const accountSchema = z.object({
  data: z.object({
    organization: z.object({ id: z.string() }),
    tokens: z.object({ accessToken: z.string() }),
  }),
});
const createdSchema = z.object({ data: z.object({ id: z.string() }) });

/** An organization with an agent and a number, whose member runs a campaign. */
export class CampaignWorld {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #orgPath: string;
  #agentId = "";
  #campaignPath = "";

  private constructor(baseUrl: string, { organization, tokens }: z.infer<typeof accountSchema>["data"]) {
    this.#baseUrl = baseUrl;
    this.#orgPath = `/api/orgs/${organization.id}`;
    this.#headers = { authorization: `Bearer ${tokens.accessToken}`, "x-org-id": organization.id };
  }

  /** Creates the account, the agent and its number on a control API. */
  static async start(baseUrl: string, brainUrl: string): Promise<CampaignWorld> {
    const response = await fetch(`${baseUrl}/api/auth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
    if (!response.ok) throw new Error(`no account: ${response.status} ${await response.text()}`);
    const world = new CampaignWorld(baseUrl, accountSchema.parse(await response.json()).data);
    const agent = await world.#send("POST", "/api/agents", {
      name: "Anna",
      brain: { url: brainUrl },
      stt: [{ vendor: "openai" }],
      tts: [{ vendor: "deepgram" }],
      firstResponse: "Hello, this is Anna.",
      silence: { promptAfterMs: 0, hangupAfterMs: 0 },
      waiting: { afterMs: 0 },
    });
    world.#agentId = createdSchema.parse(agent).data.id;
    await world.#send("POST", "/api/voice/numbers", { number: "+12025550123", agentId: world.#agentId });
    return world;
  }

  /** The call socket of one more caller. */
  async newCall(): Promise<string> {
    const session = await this.#send("POST", "/api/sessions/init-web-call", { agentId: this.#agentId });
    return webCallResponseSchema.parse(session).data.websocketUrl;
  }

  /** Creates the campaign; it calls nobody yet. */
  async createCampaign(targets: number): Promise<void> {
    const created = await this.#send("POST", `${this.#orgPath}/campaigns`, {
      name: "Renewals",
      agentId: this.#agentId,
      hours: { days: [0, 1, 2, 3, 4, 5, 6], from: "00:00", to: "23:59" },
      callsPerMinute: CALLS_PER_MINUTE,
      maxLive: MAX_LIVE,
      retries: { no_answer: NEVER, busy: NEVER, voicemail: NEVER, failed: NEVER },
    });
    this.#campaignPath = `${this.#orgPath}/campaigns/${createdSchema.parse(created).data.id}`;
    // It is day there.
    const timezone = new Date().getUTCHours() < 12 ? "UTC" : "Pacific/Honolulu";
    const rows = Array.from({ length: targets }, (_, nr) => ({ phone: phoneOf(nr), timezone }));
    for (let from = 0; from < rows.length; from += MAX_TARGETS_PER_REQUEST)
      await this.#send("POST", `${this.#campaignPath}/targets`, {
        rows: rows.slice(from, from + MAX_TARGETS_PER_REQUEST),
      });
  }

  /** Starts the campaign, or goes on with it. */
  async dial(): Promise<void> {
    await this.#send("POST", `${this.#campaignPath}/start`);
  }

  /** Pauses the campaign. */
  async rest(): Promise<void> {
    await this.#send("POST", `${this.#campaignPath}/pause`);
  }

  async campaign(): Promise<Campaign> {
    return campaignResponseSchema.parse(await this.#send("GET", this.#campaignPath)).data;
  }

  /** Resolves once the campaign is as wanted. Throws after `withinMs`. */
  async until(isSo: (campaign: Campaign) => boolean, withinMs: number): Promise<Campaign> {
    const endMs = performance.now() + withinMs;
    for (;;) {
      const campaign = await this.campaign();
      if (isSo(campaign)) return campaign;
      if (performance.now() > endMs)
        throw new Error(`the campaign takes longer than ${withinMs / 1_000} s: ${JSON.stringify(campaign)}`);
      await pause(LOOK_EVERY_MS);
    }
  }

  async #send(method: string, path: string, body?: object): Promise<unknown> {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: { ...this.#headers, ...type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  }
}

function phoneOf(nr: number): string {
  const line = String(nr % 100).padStart(2, "0");
  return `+1202${300 + Math.floor(nr / 100)}${line}${ENDINGS[nr % ENDINGS.length]}`;
}
