const PUBLIC_HOST = "api.openai.com";

export interface OpenAiAddress {
  readonly apiKey?: string | undefined;
  /** Includes the version: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
}

/** The public service needs a key; a server at any other address may work without. */
export function isOpenAiConfigured({ apiKey, baseUrl }: OpenAiAddress): boolean {
  return apiKey !== undefined || new URL(baseUrl).hostname !== PUBLIC_HOST;
}

export function openAiUrl({ baseUrl }: OpenAiAddress, path: string): string {
  return `${baseUrl.replace(/\/+$/, "")}${path}`;
}

export function openAiHeaders({ apiKey }: OpenAiAddress): Record<string, string> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}
