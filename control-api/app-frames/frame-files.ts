import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { contentTypeOf } from "@parley/platform/publish-checks/bundle-limits.ts";

/** The media type of a file; unknown ones are plain bytes. */
export function typeOf(path: string): string {
  return contentTypeOf(path) ?? "application/octet-stream";
}

/** The script and stylesheet of the dashboard's build that every frame loads; their names change with their content. */
export interface Runtime {
  readonly script: { readonly path: string; readonly bytes: Buffer };
  readonly style: { readonly path: string; readonly bytes: Buffer };
}

/** Throws when the dashboard has not been built. */
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

/** The document of every frame. The frame learns through its message port which app it is. */
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
