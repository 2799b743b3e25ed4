import type { Me, Resumed, Tokens } from "@parley/shared/contracts/accounts.ts";
import { ApiError } from "./api-error.ts";
import { type Read, Reads } from "./reads.ts";
import { type ApiRequest, open, request } from "./request.ts";

const STORED_UNDER = "parley-session";
const LOCK = "parley-session";
/** A token about to expire is not worth a request. */
const EARLY_MS = 30_000;

export type OrgRequest = ApiRequest & { readonly orgId?: string };
type Access = Pick<Tokens, "accessToken" | "accessTokenExpiresAt">;

/**
 * This browser's sign-in. All tabs share the refresh token; each keeps its own access token. One tab
 * refreshes at a time, and the others take its result.
 */
export class Session {
  #access: Access | undefined;
  /** What the first token came with, until it is read. */
  #told: Me | undefined;
  #isOpening = true;
  #hasLeft = false;
  #onSignedOut: () => void = () => undefined;
  readonly #reads = new Reads({
    ready: () => this.#accessToken(),
    alone: ({ path, orgId }) =>
      this.#call(path, { method: "GET", ...(orgId === undefined ? {} : { orgId }) }),
    together: (reads) => this.open("/api/batch", { body: { reads } }),
  });

  constructor() {
    addEventListener("storage", (event) => {
      if (event.key === STORED_UNDER && event.newValue === null) this.#leave();
    });
  }

  get isSignedIn(): boolean {
    return stored() !== null;
  }

  /** What to do when the sign-in ends; done at once if it has ended already. */
  onSignedOut(action: () => void): void {
    this.#onSignedOut = action;
    if (this.#hasLeft) action();
  }

  begin(tokens: Tokens): void {
    this.#access = tokens;
    localStorage.setItem(STORED_UNDER, tokens.refreshToken);
  }

  /**
   * Sends a request for an organization or for the person. Throws `ApiError`; an ended sign-in redirects to
   * the sign-in page.
   */
  async call<T>(path: string, options: OrgRequest = {}): Promise<T> {
    const { method, orgId, ...special } = options;
    if (method !== "GET") this.#reads.forgetAhead();
    if (method !== "GET" || Object.keys(special).length > 0) return this.#call<T>(path, options);
    return (await this.#reads.ask({ path, ...(orgId === undefined ? {} : { orgId }) })) as T;
  }

  /** Asks for what the page is about to ask for. */
  readAhead(reads: readonly Read[]): void {
    this.#reads.askAhead(reads);
  }

  /** The signed-in person: at first as told with the token, so without another request. Throws `ApiError`. */
  async me(): Promise<Me> {
    await this.#accessToken();
    const told = this.#told;
    this.#told = undefined;
    // What comes with a later token may be older than what the person has just changed.
    this.#isOpening = false;
    return told ?? this.call<Me>("/api/auth/me", { method: "GET" });
  }

  /** Like `call`, but returns the open response for streaming. */
  async open(path: string, options: OrgRequest = {}): Promise<Response> {
    return this.#send(options, (signed) => open(path, signed));
  }

  async signOut(): Promise<void> {
    await this.call("/api/auth/logout").catch(() => undefined);
    this.#forget();
  }

  #call<T>(path: string, options: OrgRequest): Promise<T> {
    return this.#send(options, (signed) => request<T>(path, signed));
  }

  async #send<T>(options: OrgRequest, send: (signed: ApiRequest) => Promise<T>): Promise<T> {
    try {
      return await send(await this.#signed(options));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== "token_expired" && error.code !== "token_invalid") throw error;
      // Another tab may have signed in again: the shared token decides.
      this.#access = undefined;
      return send(await this.#signed(options));
    }
  }

  async #signed({ orgId, ...options }: OrgRequest): Promise<ApiRequest> {
    const headers = {
      ...options.headers,
      authorization: `Bearer ${await this.#accessToken()}`,
      ...(orgId === undefined ? {} : { "x-org-id": orgId }),
    };
    return { ...options, headers };
  }

  async #accessToken(): Promise<string> {
    const known = this.#known();
    if (known !== undefined) return known;
    // Another request of this tab may have brought a token in the meantime.
    const bring = async (): Promise<string> => this.#known() ?? this.#refresh();
    return navigator.locks ? navigator.locks.request(LOCK, bring) : bring();
  }

  #known(): string | undefined {
    const access = this.#access;
    return access && Date.parse(access.accessTokenExpiresAt) - Date.now() > EARLY_MS
      ? access.accessToken
      : undefined;
  }

  async #refresh(): Promise<string> {
    const refreshToken = stored();
    if (refreshToken === null) {
      this.#leave();
      throw new ApiError(401, { code: "token_invalid", error: "You are signed out." });
    }
    try {
      const { tokens, me } = await request<Resumed>("/api/auth/resume", { body: { refreshToken } });
      this.begin(tokens);
      if (this.#isOpening) this.#told = me;
      return tokens.accessToken;
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code === "token_invalid";
      if (isRefused && stored() === refreshToken) this.#forget();
      throw error;
    }
  }

  #forget(): void {
    localStorage.removeItem(STORED_UNDER);
    this.#leave();
  }

  #leave(): void {
    this.#access = undefined;
    this.#told = undefined;
    this.#hasLeft = true;
    this.#onSignedOut();
  }
}

function stored(): string | null {
  return localStorage.getItem(STORED_UNDER);
}
