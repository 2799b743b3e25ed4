export interface Agent {
  readonly id: string;
  readonly name: string;
}

export interface PublicLink {
  readonly isPublic: boolean;
  readonly slug: string | null;
  readonly publicUrl: string | null;
  readonly embedSnippet: string | null;
}

export interface CreatedAgent {
  readonly agentId: string;
  readonly kind: "single" | "flow";
}

export interface CreatedTeam {
  readonly teamId: string;
  readonly entryAgentId: string | null;
  readonly agents: readonly {
    readonly ref: string;
    readonly agentId: string | null;
    readonly kind: "single" | "flow";
  }[];
}

/** An agent's prompt, model, voice, behavior and flow, by group, without secrets. */
export type AgentConfig = {
  readonly [group in "prompt" | "model" | "voice" | "behavior" | "flow"]?: Readonly<Record<string, unknown>>;
};

export interface ConfiguredAgent {
  readonly agentId: string;
  readonly kind: "single" | "flow";
  readonly config: AgentConfig;
}

export interface Agents {
  list(): Promise<Agent[]>;
  /** Opens the builder of the new agent, unless `open` is false. */
  createFromTemplate(templateId: string, opts?: { readonly open?: boolean }): Promise<CreatedAgent>;
  createTeamFromTemplate(teamId: string): Promise<CreatedTeam>;
  publicLink(agentId: string): Promise<PublicLink>;
  /** Makes the agent public unless `isPublic` is false. */
  setPublic(agentId: string, isPublic?: boolean): Promise<PublicLink>;
  getConfig(agentId: string): Promise<ConfiguredAgent>;
  /** Each changed group needs its own scope. */
  updateConfig(agentId: string, config: AgentConfig): Promise<ConfiguredAgent>;
}
