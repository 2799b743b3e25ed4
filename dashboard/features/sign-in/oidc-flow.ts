const STORED_UNDER = "parley-oidc";

/** A provider sign-in's initial state, kept by this tab until the browser returns. */
export interface OidcFlow {
  readonly flowSecret: string;
  readonly search: string;
}

export function rememberFlow(flow: OidcFlow): void {
  sessionStorage.setItem(STORED_UNDER, JSON.stringify(flow));
}

/** Takes the flow once: a reloaded page finds none. */
export function takeFlow(): OidcFlow | undefined {
  const text = sessionStorage.getItem(STORED_UNDER);
  sessionStorage.removeItem(STORED_UNDER);
  return text === null ? undefined : (JSON.parse(text) as OidcFlow);
}
