import type { FastifyReply, FastifyRequest } from "fastify";

const HTML = /\btext\/html\b/i;
const JSON_TYPE = /\bapplication\/json\b/i;

/** Whether a person opened an address in a browser: clients of the API ask for JSON, or for anything. */
export function isOpenedByPerson({ method, url, headers: { accept = "" } }: FastifyRequest): boolean {
  return method === "GET" && !url.startsWith("/api/") && HTML.test(accept) && !JSON_TYPE.test(accept);
}

/** Answers with a page of its own: it loads no file, and is there also where the dashboard was not built. */
export function sendNothingHere(reply: FastifyReply): FastifyReply {
  return reply
    .status(404)
    .headers({
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "cache-control": "no-cache",
      vary: "accept",
    })
    .type("text/html; charset=utf-8")
    .send(PAGE);
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>Page not found · Parley</title>
    <style>
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
      body { margin: 0; background: light-dark(#f8fafc, #0b1120); color: light-dark(#0f172a, #e2e8f0); }
      main { max-width: 26rem; margin: 20vh auto 0; padding: 1.5rem; }
      h1 { margin: 0 0 0.75rem; font-size: 1.5rem; }
      a { color: light-dark(#4338ca, #a5b4fc); }
    </style>
  </head>
  <body>
    <main>
      <h1>Page not found</h1>
      <p>There is nothing here. Check the address, or <a href="/">go to Home</a>.</p>
    </main>
  </body>
</html>
`;
