import type { GraphRefusal } from "../graph/graph-refusal.ts";
import { again, type Meaning, refused } from "../graph/meaning.ts";
import { INSTAGRAM_WINDOW_CLOSED } from "../outbound/window.ts";

const WINDOW_SUBCODE = 2_534_022;
const GONE_SUBCODE = 2_534_014;
const FIRST_PERMISSION = 200;
const LAST_PERMISSION = 299;
const FIRST_SERVER_STATUS = 500;

const PERMISSION = refused(
  "The access token may not do this. Give it instagram_business_basic and instagram_business_manage_messages.",
);
const RATE = again("The account sends more messages than Instagram allows at once.");
const unknown: Meaning = {
  fate: "unknown",
  words: "Instagram had an internal error. It is unknown whether the message was accepted.",
};

/** Keyed by code, since titles are translated. */
const MEANINGS: ReadonlyMap<number, Meaning> = new Map([
  [
    190,
    {
      fate: "refused",
      words: "Instagram no longer accepts the access token. Replace the account's credentials.",
      isTokenGone: true,
    },
  ],
  [3, PERMISSION],
  [10, PERMISSION],
  [4, RATE],
  [17, RATE],
  [32, RATE],
  [613, RATE],
  [80_002, RATE],
  [80_006, RATE],
  [368, refused("Instagram has blocked the account for a violation of its policy.")],
  [551, refused("The contact cannot get messages at the moment.")],
  [1, unknown],
  [2, unknown],
]);

/** Explains a refusal by Instagram's API; unknown ones keep Instagram's own words. */
export function instagramMeaning({ status, code, subcode, message }: GraphRefusal): Meaning {
  if (subcode === WINDOW_SUBCODE) return refused(INSTAGRAM_WINDOW_CLOSED);
  if (subcode === GONE_SUBCODE) return refused("The contact left Instagram or blocked the account.");
  const known = MEANINGS.get(code);
  if (known) return known;
  if (code >= FIRST_PERMISSION && code <= LAST_PERMISSION) return PERMISSION;
  if (status >= FIRST_SERVER_STATUS) return unknown;
  return refused(`Instagram refused it: ${message}`);
}
