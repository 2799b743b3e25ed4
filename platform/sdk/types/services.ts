export interface FileMeta {
  readonly path: string;
  readonly contentType?: string | undefined;
  readonly sizeBytes: number;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** Limits: 25 MB per file, 1 GB and 10,000 files per app. */
export interface Files {
  put(
    path: string,
    body: ArrayBuffer | ArrayBufferView | Blob | string,
  ): Promise<{ path: string; size: number }>;
  get(path: string): Promise<ArrayBuffer>;
  list(prefix?: string): Promise<FileMeta[]>;
  delete(path: string): Promise<{ deleted: boolean }>;
  /** Extracts the text of a stored pdf, docx, txt or md. */
  extractText(path: string): Promise<{ text: string; truncated: boolean }>;
}

export interface HttpRequest {
  /** An HTTPS address on a host the manifest names in a scope `http:<host>`. */
  readonly url: string;
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A provider whose stored credential the server adds. */
  readonly connection?: string;
}

export interface Http {
  fetch(
    request: HttpRequest,
  ): Promise<{ status: number; headers: Readonly<Record<string, string>>; body: string }>;
}

export interface LlmRequest {
  /** How good a model must be; the organization chooses the model. */
  readonly tier?: "fast" | "smart";
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly messages: readonly {
    readonly role: "system" | "user" | "assistant";
    readonly content: string;
  }[];
}

export interface LlmResult {
  readonly text: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}

export interface Models {
  readonly tiers: readonly { readonly tier: string; readonly model: string | null }[];
  readonly models: readonly { readonly id: string; readonly name: string; readonly provider: string }[];
}

export interface Ai {
  llm(request: LlmRequest): Promise<LlmResult>;
  /** Resolves to the whole answer. Aborting `signal` stops the model and rejects with the code `canceled`. */
  llmStream(
    request: LlmRequest,
    onToken: (token: string) => void,
    opts?: { readonly signal?: AbortSignal },
  ): Promise<LlmResult>;
  models(): Promise<Models>;
}

export interface LinkSpec {
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly singleUse?: boolean;
  readonly code?: string;
  readonly ttlSecs: number;
  /** Served to whoever opens the link: no secrets, no internal ids. */
  readonly context?: Readonly<Record<string, unknown>>;
}

export interface Link {
  readonly id: string;
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly singleUse: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
  readonly revokedAt: string | null;
}

export interface Links {
  /** The only answer that ever contains the link's token, in `url`. */
  mint(spec: LinkSpec): Promise<{ id: string; url: string; expiresAt: string }>;
  list(): Promise<Link[]>;
  /** `revoked` is false when the link was already over. */
  revoke(id: string): Promise<{ revoked: boolean }>;
}

export interface Member {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  readonly role: string;
}

export interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

export interface Campaigns {
  /** Takes at most 1,000 rows per call. */
  addTargets(
    campaignId: string,
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Promise<{ added: number }>;
  get(campaignId: string): Promise<Campaign | null>;
  list(): Promise<Campaign[]>;
}

export interface ConnectorConnection {
  readonly id: string;
  readonly provider: string;
  readonly label: string;
  readonly status: string;
  readonly account: string;
}

export interface Connector {
  connections(capability: string): Promise<{ connections: ConnectorConnection[] }>;
  invoke(
    capability: string,
    args: Readonly<Record<string, unknown>>,
    opts?: { readonly binding?: Readonly<Record<string, unknown>>; readonly connectionId?: string },
  ): Promise<{ result: unknown }>;
}

export interface Whatsapp {
  channels(): Promise<{ id: string; kind: string }[]>;
  send(channelId: string, phone: string, text: string): Promise<{ id: string }>;
}
