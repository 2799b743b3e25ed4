const STORED_UNDER = "parley-oidc";

/** What a sign-in at a provider began with, kept by this tab until the browser comes back. */
export interface OidcFlow {
  readonly flowSecret: string;
  readonly search: string;
}

export function rememberFlow(flow: OidcFlow): void {
  sessionStorage.setItem(STORED_UNDER, JSON.stringify(flow));
}

/** Once: a page that is loaded again finds nothing. */
export function takeFlow(): OidcFlow | undefined {
  const text = sessionStorage.getItem(STORED_UNDER);
  sessionStorage.removeItem(STORED_UNDER);
  return text === null ? undefined : (JSON.parse(text) as OidcFlow);
}
