const HOME = "/";

/** Where to go after signing in: a requested page on this origin, or home. Never another site. */
export function nextPage(search: string, origin: string): string {
  const next = new URLSearchParams(search).get("next");
  if (next === null || !URL.canParse(next, origin)) return HOME;
  const url = new URL(next, origin);
  return url.origin === origin && !url.pathname.startsWith("/sign-in") ? url.pathname + url.search : HOME;
}

/** Takes the token from a link's fragment and removes it from the address, which people copy. */
export function takeToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  if (token !== "") history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}
