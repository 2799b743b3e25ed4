const MARKUP: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** The page after returning from a vendor: no script, and nothing from the address. */
export function consentPage({ isDone, text }: { readonly isDone: boolean; readonly text: string }): string {
  const title = isDone ? "Signed in" : "Not signed in";
  const shown = text.replace(/[&<>"]/g, (sign) => MARKUP[sign] ?? "");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title} · Parley</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1rem }</style>
</head>
<body>
<h1>${title}</h1>
<p>${shown}</p>
</body>
</html>
`;
}

/** The first cookie of this name. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
