import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestControlApi } from "./control-api.ts";
import type { TestOrganization } from "./organization.ts";

export interface ShopOptions {
  /** More attributes of the widget's script tag. */
  readonly attributes?: string;
  /** The page's declared language. */
  readonly lang?: string;
  /** The page's styles. */
  readonly css?: string;
  /** Extra fields of each token request. */
  readonly mint?: Record<string, unknown>;
}

/** A customer's site with the widget, on its own origin, under a strict content security policy. */
export class TestShop {
  readonly url: string;
  /** Number of tokens minted. */
  minted = 0;
  /** Status the token endpoint returns instead of minting. */
  refusesWith: number | undefined;
  readonly #close: () => void;

  private constructor(url: string, close: () => void) {
    this.url = url;
    this.#close = close;
  }

  static async open(
    { api }: TestControlApi,
    { agentId, keys }: TestOrganization,
    { attributes = "", lang = "en", css = "", mint = {} }: ShopOptions = {},
  ): Promise<TestShop> {
    const tag = `<script src="${api.baseUrl}/widget.js" data-agent="${agentId}" data-token-url="/chat-token" ${attributes}></script>`;
    const page = `<!doctype html><html lang="${lang}"><head><title>Shop</title><meta name="viewport" content="width=device-width, initial-scale=1">
      <link rel="icon" href="data:,"><link rel="stylesheet" href="/shop.css"></head>
      <body><main><h1>Shop</h1><p>Shoes. <button>Buy</button></p></main>${tag}</body></html>`;
    const policy = `default-src 'none'; img-src data:; style-src 'self'; script-src ${api.baseUrl}; connect-src 'self' ${api.baseUrl}`;
    let shop: TestShop;
    const tokenFor = async (origin: string) => {
      shop.minted += 1;
      return fetch(`${api.baseUrl}/api/client-tokens`, {
        method: "POST",
        headers: { "x-api-key": keys.developer, "content-type": "application/json" },
        body: JSON.stringify({ agentId, mode: "chat", allowedOrigins: [origin], ...mint }),
      });
    };
    const server = createServer(async ({ url, headers }, response) => {
      if (url === "/chat-token") {
        const minted = shop.refusesWith === undefined ? await tokenFor(`http://${headers.host}`) : undefined;
        const body = (await minted?.json()) as { data?: unknown } | undefined;
        response.writeHead(minted?.ok ? 200 : (shop.refusesWith ?? 502), {
          "content-type": "application/json",
        });
        response.end(JSON.stringify(body?.data ?? {}));
      } else if (url === "/shop.css") {
        response.writeHead(200, { "content-type": "text/css" }).end(css);
      } else {
        response
          .writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy })
          .end(page);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    shop = new TestShop(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, () => {
      server.close();
      server.closeAllConnections();
    });
    return shop;
  }

  close(): void {
    this.#close();
  }
}
