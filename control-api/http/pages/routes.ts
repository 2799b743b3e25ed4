import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { APP_PAGES } from "@parley/shared/contracts/app-pages.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyReply } from "fastify";
import { PUBLIC } from "../access/rules.ts";
import type { Api } from "../routes.ts";

/** The built page for each address. */
const PAGES: Readonly<Record<string, "talk.html" | "sign-in.html" | "app.html">> = {
  "/talk": "talk.html",
  "/sign-in": "sign-in.html",
  "/sign-in/oidc/:idp": "sign-in.html",
  "/sign-up": "sign-in.html",
  "/forgot-password": "sign-in.html",
  "/reset-password": "sign-in.html",
  "/invitation": "sign-in.html",
  "/": "app.html",
  ...Object.fromEntries(APP_PAGES.flatMap((page) => [page, `${page}/*`]).map((at) => [at, "app.html"])),
};

/**
 * Pages load only their own files, and connect to whichever gateway a call is on. Their frames are those of apps, on
 * the apps' origin, and no app navigates its frame elsewhere. They get only the browser permissions of a call.
 */
const FOR_PAGES = {
  "permissions-policy":
    "microphone=(self), autoplay=(self), clipboard-write=(self), clipboard-read=(), camera=(), display-capture=(), " +
    "geolocation=(), payment=(), usb=(), serial=(), midi=(), publickey-credentials-get=()",
  // The address is stable while the content changes, so browsers revalidate each time.
  "cache-control": "no-cache",
};

const POLICY =
  "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data:; media-src 'self' blob:; " +
  "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const NO_ANCESTORS = "frame-ancestors 'none'";

const FOR_OTHER_PAGES = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "public, max-age=300, stale-while-revalidate=86400",
};

export interface PagesDeps {
  readonly pagesDir: string;
  /** Origin of the apps' frames. */
  readonly frameOrigin: () => string;
  /** The sites that may embed a public agent's page. */
  readonly embedOriginsOf: (slug: string) => Promise<readonly string[]>;
}

/** Serves the dashboard's pages and their files. */
export async function pageRoutes(app: Api, deps: PagesDeps): Promise<void> {
  const { pagesDir, frameOrigin } = deps;
  const options = { config: { access: PUBLIC }, schema: { hide: true } };
  for (const [address, page] of Object.entries(PAGES)) {
    app.get(address, options, async (_request, reply) => {
      if (!existsSync(join(pagesDir, page))) {
        throw new AppError("not_found", "The page was not built; run npm run build.");
      }
      const frames = page === "app.html" ? frameOrigin() : "'none'";
      const policy = { "content-security-policy": `${POLICY}; frame-src ${frames}` };
      return reply.headers({ ...FOR_PAGES, ...policy }).sendFile(page, pagesDir, { cacheControl: false });
    });
  }
  for (const script of ["widget.js", "embed.js"])
    app.get(`/${script}`, options, async (_request, reply) => {
      if (!existsSync(join(pagesDir, script))) {
        throw new AppError("not_found", `${script} was not built; run npm run build.`);
      }
      // The address is stable, so pages get a new version within minutes; the ETag avoids resending an old one.
      return reply.headers(FOR_OTHER_PAGES).sendFile(script, pagesDir, { cacheControl: false });
    });
  visitorPages(app, deps);
  await app.register(fastifyStatic, {
    root: join(pagesDir, "assets"),
    prefix: "/assets/",
    preCompressed: true,
    // File names contain a content hash. `sendFile` above inherits these options unless overridden.
    immutable: true,
    maxAge: "30d",
  });
}

/** A public agent's page, which sites that its organization lists may embed, and a link's page, which none may. */
function visitorPages(app: Api, { pagesDir, embedOriginsOf }: PagesDeps): void {
  const options = { config: { access: PUBLIC }, schema: { hide: true } };
  const send = (reply: FastifyReply, origins: readonly string[]): FastifyReply => {
    if (!existsSync(join(pagesDir, "public.html"))) {
      throw new AppError("not_found", "The page was not built; run npm run build.");
    }
    const ancestors = origins.length === 0 ? NO_ANCESTORS : `frame-ancestors ${origins.join(" ")}`;
    const policy = `${POLICY.replace(NO_ANCESTORS, ancestors)}; frame-src 'none'`;
    return reply
      .headers({ ...FOR_PAGES, "referrer-policy": "no-referrer", "content-security-policy": policy })
      .sendFile("public.html", pagesDir, { cacheControl: false });
  };
  const embeddable = { ...options, config: { ...options.config, mayBeEmbedded: true } };
  app.get<{ Params: { slug: string } }>("/a/:slug", embeddable, async (request, reply: FastifyReply) =>
    send(reply, await embedOriginsOf(request.params.slug)),
  );
  app.get("/l/:token", options, async (_request, reply: FastifyReply) => send(reply, []));
}
