import { createHash, randomUUID } from "node:crypto";
import type { Reply, VendorCall } from "./fake-vendor.ts";

export interface FakeConsentsOptions {
  readonly paths: { readonly authorize: string; readonly token: string; readonly revoke?: string };
  /** A valid token without any consent. */
  readonly token: string;
  /** Extra fields of each token reply. */
  readonly reply?: Readonly<Record<string, unknown>>;
  /** Seconds; undefined omits the field from replies. */
  readonly expiresIn?: number;
  /** Where the client's secret must be; in the form when absent. */
  readonly secretIn?: "basic";
  /** Whether a renewal issues a new refresh token and ends the old one. */
  readonly rotates?: true;
}

export const OAUTH_CLIENT = { clientId: "parley-client", clientSecret: "parley-secret" };

const bearerOf = ({ headers }: VendorCall) => headers.authorization?.replace("Bearer ", "") ?? "";
const refused = (error: string, status = 400): Reply => ({ status, json: { error } });

/** A vendor's consent and token exchange, with PKCE and a confidential client. */
export class FakeConsents {
  /** Granted scopes; undefined grants all requested ones. */
  allowed: string | undefined;
  /** The access was revoked. */
  isDead = false;
  /** Issuer named when the vendor redirects a browser back. */
  issuer: string | undefined;
  /** Forms posted to the token endpoint. */
  readonly tokenRequests: Readonly<Record<string, unknown>>[] = [];
  readonly revoked: string[] = [];
  /** Authorization requests that people were sent to. */
  readonly asked: Readonly<Record<string, string>>[] = [];
  readonly #options: FakeConsentsOptions;
  readonly #access: Set<string>;
  readonly #refresh = new Map<string, string>();
  readonly #codes = new Map<string, { challenge: string; redirectUri: string; scope: string }>();

  constructor(options: FakeConsentsOptions) {
    this.#options = options;
    this.#access = new Set([options.token]);
  }

  /** Whether a call has a valid token. */
  isKnown(call: VendorCall): boolean {
    return this.#access.has(bearerOf(call));
  }

  /** Expires every access token; refresh tokens stay valid. */
  expire(): void {
    this.#access.clear();
  }

  /** Whether a call belongs to the consent flow, which needs no token. */
  isAbout({ path }: VendorCall): boolean {
    return Object.values(this.#options.paths).includes(path);
  }

  handle(call: VendorCall): Reply | undefined {
    const { paths } = this.#options;
    if (call.path === paths.authorize) return this.#authorize(call.query);
    if (call.path === paths.token) return this.#exchange(call);
    if (call.path !== paths.revoke) return undefined;
    const { token } = call.body;
    if (token === undefined && !this.isKnown(call)) return refused("invalid_token", 401);
    this.revoked.push(String(token ?? bearerOf(call)));
    return { status: call.method === "DELETE" ? 204 : 200, json: { ok: true } };
  }

  #authorize(query: Readonly<Record<string, string>>): Reply {
    this.asked.push(query);
    const { redirect_uri: redirectUri = "", state = "", code_challenge: challenge = "", scope = "" } = query;
    const code = randomUUID();
    this.#codes.set(code, { challenge, redirectUri, scope: this.allowed ?? scope });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", state);
    if (this.issuer !== undefined) back.searchParams.set("iss", this.issuer);
    return { status: 302, json: {}, headers: { location: back.href } };
  }

  #exchange({ headers, body }: VendorCall): Reply {
    const form = body as Record<string, string>;
    this.tokenRequests.push(form);
    const isBasic = this.#options.secretIn === "basic";
    const [id, secret] = isBasic
      ? Buffer.from(headers.authorization?.replace("Basic ", "") ?? "", "base64")
          .toString()
          .split(":")
      : [form.client_id, form.client_secret];
    if (id !== OAUTH_CLIENT.clientId || secret !== OAUTH_CLIENT.clientSecret)
      return refused("invalid_client", 401);
    if (this.isDead) return refused("invalid_grant");
    if (form.grant_type === "refresh_token") return this.#renew(form.refresh_token ?? "");
    const code = this.#codes.get(form.code ?? "");
    this.#codes.delete(form.code ?? "");
    const challenge = createHash("sha256")
      .update(form.code_verifier ?? "")
      .digest("base64url");
    if (code?.challenge !== challenge || code.redirectUri !== form.redirect_uri)
      return refused("invalid_grant");
    return this.#tokens(code.scope, this.#newRefresh(code.scope));
  }

  #renew(refresh: string): Reply {
    const scope = this.#refresh.get(refresh);
    if (scope === undefined) return refused("invalid_grant");
    if (!this.#options.rotates) return this.#tokens(scope);
    this.#refresh.delete(refresh);
    return this.#tokens(scope, this.#newRefresh(scope));
  }

  #newRefresh(scope: string): string {
    const refresh = `refresh-${randomUUID()}`;
    this.#refresh.set(refresh, scope);
    return refresh;
  }

  #tokens(scope: string, refresh?: string): Reply {
    const access = `access-${randomUUID()}`;
    this.#access.add(access);
    const { expiresIn, reply } = this.#options;
    const json = {
      access_token: access,
      token_type: "Bearer",
      scope,
      ...(refresh === undefined ? {} : { refresh_token: refresh }),
      ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
      ...reply,
    };
    return { status: 200, json };
  }
}
