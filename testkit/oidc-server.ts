import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type KoaContextWithOIDC } from "oidc-provider";

const PERSON = "ada";

/**
 * A certified authorization server from a library: registration, mandatory PKCE, resource indicators,
 * rotation and revocation. Every visitor is signed in as one person and consents at once.
 */
export class OidcServer {
  readonly issuer: string;
  readonly #server: Server;
  readonly #provider: Provider;

  private constructor(server: Server, issuer: string, scope: string) {
    this.#server = server;
    this.issuer = issuer;
    this.#provider = new Provider(issuer, configurationOf(scope));
  }

  /** `scope` is the one its resources know. */
  static async start(scope: string): Promise<OidcServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const oidc = new OidcServer(server, issuer, scope);
    server.on("request", (request, response) => void oidc.#answer(request, response));
    return oidc;
  }

  /** Whether a token is valid at a resource. */
  async admits(token: string, resource: string): Promise<boolean> {
    const found = await this.#provider.AccessToken.find(token);
    return found?.isValid === true && [found.aud].flat().includes(resource);
  }

  /** Ends one token; its refresh token stays. */
  async end(token: string): Promise<void> {
    await (await this.#provider.AccessToken.find(token))?.destroy();
  }

  /** Acts as a redirected browser, including cookies; returns where it is sent back to. */
  async visit(authorizeUrl: string): Promise<string> {
    const jar = new Map<string, string>();
    for (let url = authorizeUrl; ; ) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await fetch(url, { redirect: "manual", headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        jar.set(name, value);
      }
      const next = answer.headers.get("location");
      if (next === null) throw new Error(`${answer.status}: ${await answer.text()}`);
      url = new URL(next, url).href;
      if (!url.startsWith(this.issuer)) return url;
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith("/interaction/")) return this.#provider.callback()(request, response);
    const { prompt, params, session } = await this.#provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      return this.#provider.interactionFinished(request, response, { login: { accountId: PERSON } });
    }
    const grant = new this.#provider.Grant({
      accountId: session?.accountId ?? PERSON,
      clientId: String(params.client_id),
    });
    const scope = String(params.scope ?? "");
    grant.addOIDCScope(scope);
    if (params.resource !== undefined) grant.addResourceScope(String(params.resource), scope);
    const consent = { grantId: await grant.save() };
    return this.#provider.interactionFinished(
      request,
      response,
      { consent },
      { mergeWithLastSubmission: true },
    );
  }
}

function configurationOf(scope: string) {
  return {
    scopes: ["openid", "offline_access"],
    cookies: { keys: ["test"] },
    pkce: { required: () => true },
    findAccount: (_context: KoaContextWithOIDC, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub }),
    }),
    interactions: {
      url: (_context: KoaContextWithOIDC, { uid }: { uid: string }) => `/interaction/${uid}`,
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: KoaContextWithOIDC, audience: string) => ({
          scope,
          audience,
          accessTokenFormat: "opaque" as const,
        }),
      },
    },
  };
}
