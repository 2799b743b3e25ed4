import type { GraphRefusal } from "../graph/graph-refusal.ts";
import { again, type Meaning, refused } from "../graph/meaning.ts";

const unknown: Meaning = {
  fate: "unknown",
  words: "WhatsApp had an internal error. It is unknown whether the message was accepted.",
};
const TOKEN: Meaning = {
  fate: "refused",
  words: "WhatsApp no longer accepts the access token. Replace the channel's credentials.",
  isTokenGone: true,
};
const PERMISSION = refused(
  "The access token may not do this. Give the system user whatsapp_business_messaging and whatsapp_business_management.",
);
const PARAMETER = refused("WhatsApp did not understand the message.");
const TEMPLATE_PARAMETERS = refused(
  "The template's parameters do not fit it: compare their number and form.",
);

/** Keyed by code, since titles are translated. */
const MEANINGS: ReadonlyMap<number, Meaning> = new Map([
  [0, TOKEN],
  [190, TOKEN],
  [3, PERMISSION],
  [10, PERMISSION],
  [131005, PERMISSION],
  [4, again("The app has used up its requests for this hour.")],
  [80007, again("The business account has used up its requests for this hour.")],
  [130429, again("The number sends more messages a second than WhatsApp allows.")],
  [131056, again("Too many messages to this person within a few seconds.")],
  [131048, refused("WhatsApp limits this number because people reported its messages as spam.")],
  [368, refused("WhatsApp has blocked the business account for a violation of its policy.")],
  [131031, refused("The business account is locked. See its quality in WhatsApp Manager.")],
  [131042, refused("The business account has a problem with its payment method.")],
  [33, refused("The phone number ID no longer exists.")],
  [100, PARAMETER],
  [131008, PARAMETER],
  [131009, PARAMETER],
  [135000, PARAMETER],
  [131021, refused("The sender and the receiver are the same number.")],
  [131026, refused("The message cannot be delivered: the number may not use WhatsApp.")],
  [131047, refused("The contact wrote more than 24 hours ago. Only a template may be sent now.")],
  [
    131049,
    refused("WhatsApp held the message back to keep people from too many. Do not send it again today."),
  ],
  [131050, refused("The contact does not want marketing messages of this number.")],
  [131062, refused("This template can only be sent to a phone number.")],
  [130472, refused("The contact takes part in an experiment of WhatsApp, and gets no marketing messages.")],
  [130403, refused("The contact is blocked for this number.")],
  [130497, refused("The business account may not write to people in this country.")],
  [131051, refused("WhatsApp does not support messages of this type.")],
  [131052, refused("WhatsApp could not fetch the media.")],
  [131053, refused("WhatsApp could not take the media: check its type and size.")],
  [132000, TEMPLATE_PARAMETERS],
  [132012, TEMPLATE_PARAMETERS],
  [132001, refused("The template does not exist in this language, or is not approved yet.")],
  [132005, refused("The template is too long with these parameters.")],
  [132007, refused("The template violates WhatsApp's policy.")],
  [132015, refused("The template is paused because people disliked it. Edit it in WhatsApp Manager.")],
  [132016, refused("The template was disabled for good. Create another one.")],
  [133010, refused("The number is not registered with the Cloud API.")],
  [1, unknown],
  [2, unknown],
  [131000, unknown],
  [131016, unknown],
  [131057, unknown],
  [133004, unknown],
]);

const FIRST_PERMISSION = 200;
const LAST_PERMISSION = 299;
const FIRST_SERVER_STATUS = 500;

/** Explains a refusal by the Graph API; unknown ones keep WhatsApp's own words. */
export function whatsAppMeaning({ status, code, message, details }: GraphRefusal): Meaning {
  const known = MEANINGS.get(code);
  if (known) return withDetails(known, details);
  if (code >= FIRST_PERMISSION && code <= LAST_PERMISSION) return PERMISSION;
  if (status >= FIRST_SERVER_STATUS) return unknown;
  return refused(`WhatsApp refused it: ${details ?? message}`);
}

/** Explains a code that arrives later, as an error in a message's status. */
export function wordsOfCode(code: number, title: string): string {
  return whatsAppMeaning({ status: 400, code, message: title, subcode: undefined, details: undefined }).words;
}

function withDetails(meaning: Meaning, details: string | undefined): Meaning {
  if (meaning !== PARAMETER && meaning !== TEMPLATE_PARAMETERS) return meaning;
  return details === undefined ? meaning : { ...meaning, words: `${meaning.words} It said: ${details}` };
}
