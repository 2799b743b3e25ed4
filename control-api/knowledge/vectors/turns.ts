/** Whose turn it is among organizations, also over rounds: whoever ends each round delays the others by one turn only. */
export class Turns {
  #last = "";

  /** The organizations in order, those after the last one first. */
  *of(orgIds: readonly string[]): Iterable<string> {
    const next = orgIds.findIndex((orgId) => orgId > this.#last);
    const from = next === -1 ? 0 : next;
    for (const orgId of [...orgIds.slice(from), ...orgIds.slice(0, from)]) {
      this.#last = orgId;
      yield orgId;
    }
  }
}
