/**
 * Keeps the app out of the dashboard's history, which frames share: an entry of the app is one more that people must
 * go back through, and going back would leave the dashboard's page. Entries replace each other instead.
 */
export function keepOutOfHistory(): void {
  const { replaceState } = History.prototype;
  const methods = {
    pushState(this: History, ...given: Parameters<History["pushState"]>): void {
      replaceState.apply(this, given);
    },
    back: nothing,
    forward: nothing,
    go: nothing,
  };
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(History.prototype, name, { value, writable: false, configurable: false });
}

function nothing(): void {
  return;
}
