import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { contentTypeOf } from "@parley/platform/publish-checks/bundle-limits.ts";

/** What a file is served as; what is not known is bytes. */
export function typeOf(path: string): string {
  return contentTypeOf(path) ?? "application/octet-stream";
}

/** What every frame begins with: a script and a stylesheet of the dashboard's build, under names that change with them. */
export interface Runtime {
  readonly script: { readonly path: string; readonly bytes: Buffer };
  readonly style: { readonly path: string; readonly bytes: Buffer };
}

/** Throws when the dashboard was not built. */
export async function readRuntime(pagesDir: string): Promise<Runtime> {
  const [script, style] = await Promise.all(
    ["app-frame.js", "app-frame.css"].map(async (name) => {
      const bytes = await readFile(join(pagesDir, name));
      const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
      return { path: `/_frame/${hash}/${name}`, bytes };
    }),
  );
  if (!script || !style) throw new Error("a runtime has a script and a stylesheet");
  return { script, style };
}

/** The document of every frame. Whose it is, it learns by its port. */
export function frameDocument({ script, style }: Runtime): string {
  return `<!doctype html>
<html lang="en" data-pf-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>App</title>
<link rel="stylesheet" href="${style.path}">
<script src="${script.path}"></script>
</head>
<body><div id="root"></div></body>
</html>
`;
}
