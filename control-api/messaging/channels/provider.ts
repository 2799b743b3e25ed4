/** Carries a channel's messages. */
export type Provider = "whatsapp" | "instagram";
