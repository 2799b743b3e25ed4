/** Frames that listen to the same get the same event, which is written as JSON once. */
const written = new WeakMap<object, string>();

/** The JSON of the message that brings an event to its subscription. */
export function eventMessage(id: number, event: unknown): string {
  return `{"kind":"event","id":${id},"event":${jsonOf(event)}}`;
}

function jsonOf(event: unknown): string {
  if (typeof event !== "object" || event === null) return JSON.stringify(event);
  const known = written.get(event) ?? JSON.stringify(event);
  written.set(event, known);
  return known;
}
