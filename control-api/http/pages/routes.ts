import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { AppError } from "@parley/shared/errors.ts";
import { PUBLIC } from "../access/rules.ts";
import type { Api } from "../routes.ts";

/** Which built page answers an address; what is shown there is the page's business (`dashboard/app/app.tsx`). */
const PAGES: Readonly<Record<string, "talk.html" | "app.html">> = {
  "/talk": "talk.html",
  "/sign-in": "app.html",
  "/sign-in/oidc/:idp": "app.html",
  "/sign-up": "app.html",
  "/forgot-password": "app.html",
  "/reset-password": "app.html",
  "/invitation": "app.html",
  "/settings": "app.html",
  "/settings/*": "app.html",
};

/**
 * Pages run their own files only, and connect to whichever gateway a call is on. No frame is shown in them, and of the
 * browser's doors they open those of a call.
 */
const FOR_PAGES = {
  "content-security-policy":
    "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data:; media-src 'self' blob:; " +
    "style-src 'self' 'unsafe-inline'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  "permissions-policy":
    "microphone=(self), autoplay=(self), clipboard-write=(self), clipboard-read=(), camera=(), display-capture=(), " +
    "geolocation=(), payment=(), usb=(), serial=(), bluetooth=(), midi=(), publickey-credentials-get=()",
  // Its address stays the same when its content changes: it is asked for each time, and sent again when it changed.
  "cache-control": "no-cache",
};

const FOR_OTHER_PAGES = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "public, max-age=300, stale-while-revalidate=86400",
};

/** The dashboard's pages and the files they are made of. */
export async function pageRoutes(app: Api, { pagesDir }: { readonly pagesDir: string }): Promise<void> {
  const options = { config: { access: PUBLIC }, schema: { hide: true } };
  app.get("/", options, async (_request, reply) => reply.redirect("/talk"));
  for (const [address, page] of Object.entries(PAGES)) {
    app.get(address, options, async (_request, reply) => {
      if (!existsSync(join(pagesDir, page))) {
        throw new AppError("not_found", "The page was not built; run npm run build.");
      }
      return reply.headers(FOR_PAGES).sendFile(page, pagesDir, { cacheControl: false });
    });
  }
  app.get("/widget.js", options, async (_request, reply) => {
    if (!existsSync(join(pagesDir, "widget.js"))) {
      throw new AppError("not_found", "The widget was not built; run npm run build.");
    }
    // Its address stays the same, so pages get a new one within minutes; by its ETag an old one is not sent again.
    return reply.headers(FOR_OTHER_PAGES).sendFile("widget.js", pagesDir, { cacheControl: false });
  });
  await app.register(fastifyStatic, {
    root: join(pagesDir, "assets"),
    prefix: "/assets/",
    preCompressed: true,
    // Their names have a hash of their content. `sendFile` above takes these options, too, unless it says otherwise.
    immutable: true,
    maxAge: "30d",
  });
}
