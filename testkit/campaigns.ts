import type { Campaign, Target, TargetsAdded } from "@parley/shared/contracts/campaigns.ts";
import type { TestAnswer, TestControlApi } from "./control-api.ts";
import { TestPerson } from "./person.ts";

/** A person with campaigns: an organization with an agent and a number. */
export class TestCampaigns {
  readonly api: TestControlApi;
  readonly person: TestPerson;
  readonly agentId: string;

  private constructor(api: TestControlApi, person: TestPerson, agentId: string) {
    this.api = api;
    this.person = person;
    this.agentId = agentId;
  }

  static async start(
    api: TestControlApi,
    { brainUrl = "https://brain.example/", number = "+12025550123" } = {},
  ): Promise<TestCampaigns> {
    const person = await TestPerson.register(api);
    const agent = await person.call("POST", "/api/agents", {
      name: "Anna",
      brain: { url: brainUrl },
      apiAccess: true,
    });
    const agentId = (agent.body.data as { id: string } | undefined)?.id;
    if (agentId === undefined) throw new Error(`creating an agent answered ${agent.status}: ${agent.text}`);
    const added = await person.call("POST", "/api/voice/numbers", { number });
    if (added.status !== 201) throw new Error(`adding a number answered ${added.status}: ${added.text}`);
    return new TestCampaigns(api, person, agentId);
  }

  /** Sends a request under the organization's address. */
  call(method: string, path: string, body?: unknown): Promise<TestAnswer> {
    return this.person.call(method, `/api/orgs/${this.person.orgId}${path}`, body);
  }

  async create(settings: Record<string, unknown> = {}): Promise<Campaign> {
    const body = { name: "Renewals", agentId: this.agentId, ...settings };
    const answer = await this.call("POST", "/campaigns", body);
    if (answer.status !== 201)
      throw new Error(`creating a campaign answered ${answer.status}: ${answer.text}`);
    return answer.body.data as Campaign;
  }

  async read(id: string): Promise<Campaign> {
    return (await this.call("GET", `/campaigns/${id}`)).body.data as Campaign;
  }

  async addTargets(id: string, rows: readonly Record<string, unknown>[]): Promise<TargetsAdded> {
    const answer = await this.call("POST", `/campaigns/${id}/targets`, { rows });
    if (answer.status !== 200) throw new Error(`adding targets answered ${answer.status}: ${answer.text}`);
    return answer.body.data as TargetsAdded;
  }

  async targets(id: string, query = "?limit=500"): Promise<Target[]> {
    const answer = await this.call("GET", `/campaigns/${id}/targets${query}`);
    return (answer.body.data as { targets: Target[] }).targets;
  }
}
