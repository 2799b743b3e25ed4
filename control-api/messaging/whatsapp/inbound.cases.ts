type Json = Readonly<Record<string, unknown>>;

/** A message in Meta's form, and what of its event differs from the usual. */
export interface InboundCase {
  readonly name: string;
  /** Type and content; tests add sender, id and time, unless they are given here. */
  readonly message: Json;
  /** The envelope's contact; the default shows the name Ann, null sends no contacts at all. */
  readonly contact?: Json | null;
  readonly told: {
    /** Default: the message's own. */
    readonly type?: string;
    readonly body?: string | null;
    /** Default: what the message holds under the name of its type. */
    readonly content?: unknown;
    readonly from?: string;
    readonly contactName?: string | null;
    /** Default: none. */
    readonly media?: Json;
    /** Default: the one sent. */
    readonly wamid?: unknown;
    readonly timestamp?: unknown;
  };
}

const CAPTION = `${"a😀é\n".repeat(819)}x`;
const USER = "US.13491208655302741918";
const phones = [{ phone: "+1 (650) 555-0123", wa_id: "16505550123", type: "CELL" }];
const referral = {
  source_url: "https://fb.me/3cr4Wqqkv",
  source_type: "ad",
  source_id: "120226305854810726",
  headline: "Chat with us",
  body: "Summer succulents are here!",
  media_type: "image",
  image_url: "https://scontent.xx.fbcdn.net/v/t45.1",
  ctwa_clid: "Aff-n8ZTODiE79d22KtAwQKj9e",
  welcome_message: { text: "Hi there! How can we help?" },
};
const isNow = expectText(/^\d{4}-.*Z$/);

function expectText(pattern: RegExp): { readonly matches: RegExp } {
  return { matches: pattern };
}

/** Media are served under the name `MEDIA`, which the test replaces by an id that its fake knows. */
const kept = (mimeType: string, more: Json = {}): Json => ({
  mimeType,
  filename: null,
  isVoice: false,
  error: null,
  ...more,
});

/** The documented types with odd inputs. `MEDIA` stands for the id of media that are there. */
export const INBOUND_CASES: readonly InboundCase[] = [
  { name: "a text", message: { type: "text", text: { body: "Hi" } }, told: { body: "Hi", content: null } },
  {
    name: "a text of one emoji, two writing directions and many lines",
    message: { type: "text", text: { body: "👩‍👩‍👧‍👦\nשלום\r\n\u202eabc" } },
    told: { body: "👩‍👩‍👧‍👦\nשלום\r\n\u202eabc", content: null },
  },
  {
    name: "a text that came by an ad, and answers another message",
    message: {
      type: "text",
      text: { body: "How much?" },
      context: { from: "15550783881", id: "wamid.before", forwarded: true },
      referral,
    },
    told: { body: "How much?", content: null },
  },
  {
    name: "a text from nobody with a profile",
    message: { type: "text", text: { body: "Hello" } },
    contact: null,
    told: { body: "Hello", content: null, contactName: null },
  },
  {
    name: "a text from a contact whose profile has no name",
    message: { type: "text", text: { body: "Hello" } },
    contact: { profile: {} },
    told: { body: "Hello", content: null, contactName: null },
  },
  {
    name: "a text of somebody who shows a user name and no number",
    message: { from: undefined, from_user_id: USER, type: "text", text: { body: "It is me" } },
    contact: { profile: { name: "Bo", username: "@bo" }, user_id: USER, wa_id: undefined },
    told: { body: "It is me", content: null, from: USER, contactName: "Bo" },
  },
  {
    name: "a text whose sender has no digits",
    message: { from: " helpdesk ", type: "text", text: { body: "From within" } },
    contact: null,
    told: { body: "From within", content: null, from: "helpdesk", contactName: null },
  },
  {
    name: "a text without an id",
    message: { id: undefined, type: "text", text: { body: "No id" } },
    told: { body: "No id", content: null, wamid: expectText(/^hash:[0-9a-f]{64}$/) },
  },
  {
    name: "a text with a blank id",
    message: { id: " ", type: "text", text: { body: "Blank id" } },
    told: { body: "Blank id", content: null, wamid: expectText(/^hash:[0-9a-f]{64}$/) },
  },
  {
    name: "a text whose time is a number",
    message: { timestamp: 1_795_173_330, type: "text", text: { body: "On time" } },
    told: { body: "On time", content: null, timestamp: "2026-11-20T11:15:30.000Z" },
  },
  {
    name: "a text whose time is in milliseconds",
    message: { timestamp: 1_795_173_330_000, type: "text", text: { body: "Too late" } },
    told: { body: "Too late", content: null, timestamp: isNow },
  },
  {
    name: "a text without a time",
    message: { timestamp: undefined, type: "text", text: { body: "When?" } },
    told: { body: "When?", content: null, timestamp: isNow },
  },
  {
    name: "an image with a caption of 4,096 characters",
    message: {
      type: "image",
      image: { id: "MEDIA", mime_type: "image/jpeg", sha256: "a", caption: CAPTION },
    },
    told: { body: CAPTION, media: kept("image/jpeg") },
  },
  {
    name: "an image without a caption",
    message: { type: "image", image: { id: "MEDIA", mime_type: "image/png", sha256: "a" } },
    told: { body: null, media: kept("image/png") },
  },
  {
    name: "an image from nobody with a profile",
    message: { type: "image", image: { id: "MEDIA", mime_type: "image/png", caption: "Look" } },
    contact: null,
    told: { body: "Look", contactName: null, media: kept("image/png") },
  },
  {
    name: "a voice message",
    message: { type: "audio", audio: { id: "MEDIA", mime_type: "audio/ogg; codecs=opus", voice: true } },
    told: { body: null, media: kept("audio/ogg; codecs=opus", { isVoice: true }) },
  },
  {
    name: "a document with a name of its own",
    message: {
      type: "document",
      document: { id: "MEDIA", mime_type: "application/pdf", filename: "Q4 “final”.pdf", caption: "Ours" },
    },
    told: { body: "Ours", media: kept("application/pdf", { filename: "Q4 “final”.pdf" }) },
  },
  {
    name: "a video that says nothing of itself",
    message: { type: "video", video: { id: "MEDIA" } },
    told: { body: null, media: kept("application/octet-stream") },
  },
  {
    name: "an animated sticker",
    message: { type: "sticker", sticker: { id: "MEDIA", mime_type: "image/webp", animated: true } },
    told: { body: null, media: kept("image/webp") },
  },
  {
    name: "an image that there is not",
    message: { type: "image", image: { id: "0000", mime_type: "image/jpeg" } },
    told: { body: null, media: { ...kept("image/jpeg"), error: expectText(/./) } },
  },
  {
    name: "an image that is none",
    message: { type: "image", image: null },
    told: { body: null, content: null },
  },
  {
    name: "a place with a name",
    message: {
      type: "location",
      location: { latitude: 38.9, longitude: -77.03, name: "Main Street Beach", address: "Laguna Beach, CA" },
    },
    told: { body: "Main Street Beach" },
  },
  {
    name: "a place without one",
    message: { type: "location", location: { latitude: 0, longitude: 0 } },
    told: { body: null },
  },
  {
    name: "two contacts",
    message: {
      type: "contacts",
      contacts: [
        { name: { formatted_name: "Ada L." }, phones },
        { name: { formatted_name: "Bo" }, emails: [{ email: "b@x.example" }] },
      ],
    },
    told: { body: "Ada L., Bo" },
  },
  {
    name: "a contact without a name",
    message: { type: "contacts", contacts: [{ phones }] },
    told: { body: null },
  },
  {
    name: "a button of a message",
    message: {
      type: "interactive",
      interactive: { type: "button_reply", button_reply: { id: "yes", title: "Yes!" } },
    },
    told: { body: "Yes!" },
  },
  {
    name: "an entry of a list",
    message: {
      type: "interactive",
      interactive: { type: "list_reply", list_reply: { id: "9", title: "At nine", description: "a.m." } },
    },
    told: { body: "At nine" },
  },
  {
    name: "a form",
    message: {
      type: "interactive",
      interactive: { type: "nfm_reply", nfm_reply: { name: "flow", body: "Sent", response_json: '{"a":1}' } },
    },
    told: { body: "Sent" },
  },
  {
    name: "a permission to call",
    message: {
      type: "interactive",
      interactive: { type: "call_permission_reply", call_permission_reply: { response: "accept" } },
    },
    told: { body: null },
  },
  {
    name: "a button of a template",
    message: { type: "button", button: { payload: "P1", text: "Tell me more" } },
    told: { body: "Tell me more" },
  },
  {
    name: "a reaction",
    message: { type: "reaction", reaction: { message_id: "wamid.x", emoji: "👍🏽" } },
    told: { body: "👍🏽" },
  },
  {
    name: "a reaction that is taken back",
    message: { type: "reaction", reaction: { message_id: "wamid.x" } },
    told: { body: null },
  },
  {
    name: "an order",
    message: {
      type: "order",
      order: {
        catalog_id: "7",
        text: "Soon, please",
        product_items: [{ product_retailer_id: "di9", quantity: 2, item_price: 3.5, currency: "USD" }],
      },
    },
    told: { body: "Soon, please" },
  },
  {
    name: "an order without a word",
    message: { type: "order", order: { catalog_id: "7", product_items: [] } },
    told: { body: null },
  },
  {
    name: "a number that changed",
    message: {
      type: "system",
      system: { body: "Ann changed from ‎15551 to 15552", type: "user_changed_number", wa_id: "15552" },
    },
    contact: null,
    told: { body: "Ann changed from ‎15551 to 15552", contactName: null },
  },
  {
    name: "an edit of a message that is not here",
    message: {
      type: "edit",
      edit: { original_message_id: "wamid.gone", message: { type: "text", text: { body: "Rather two" } } },
    },
    told: { body: "Rather two" },
  },
  {
    name: "a message that was taken back",
    message: { type: "revoke", revoke: { original_message_id: "wamid.gone" } },
    told: { body: null },
  },
  {
    name: "what WhatsApp does not pass on",
    message: {
      type: "unsupported",
      errors: [{ code: 131_051, title: "Message type unknown", error_data: { details: "Not supported." } }],
    },
    told: {
      body: null,
      content: {
        errors: [{ code: 131_051, title: "Message type unknown", error_data: { details: "Not supported." } }],
      },
    },
  },
  {
    name: "a type that there will be",
    message: { type: "hologram", hologram: { id: "1", text: "Boo" } },
    told: { body: null },
  },
  {
    name: "a type that every object has",
    message: { type: "constructor" },
    told: { body: null, content: null },
  },
  {
    name: "no type at all",
    message: { type: undefined, text: { body: "?" } },
    told: { type: "unknown", body: null, content: null },
  },
];
