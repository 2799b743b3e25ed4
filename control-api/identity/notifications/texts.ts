import type { Message } from "./message.ts";

/** Where a message goes. */
export interface Destination {
  readonly channel: "email" | "phone";
  readonly to: string;
}

/** Every message Parley sends. Each says who asked, how long it is valid, and what to do if it was not you. */

export function codeMessage(to: Destination, { code, minutes }: { code: string; minutes: number }): Message {
  const text = `Your Parley code is ${code}. It is good for ${minutes} minutes and for one use. Nobody from Parley ever asks you for it.`;
  if (to.channel === "phone") return { channel: "phone", to: to.to, text };
  return {
    channel: "email",
    to: to.to,
    subject: `${code} is your Parley code`,
    text: `${text}\n\nIf you did not ask for a code, you need not do anything.`,
  };
}

export function resetMessage(to: Destination, { link, minutes }: { link: string; minutes: number }): Message {
  if (to.channel === "phone") {
    return {
      channel: "phone",
      to: to.to,
      text: `Set a new Parley password within ${minutes} minutes: ${link}`,
    };
  }
  return {
    channel: "email",
    to: to.to,
    subject: "Set a new Parley password",
    text: `Somebody asked for a new password for this address. Set one within ${minutes} minutes:\n\n${link}\n\nIf that was not you, you need not do anything: your password stays as it is.`,
  };
}

export function passwordChangedMessage(to: Destination): Message {
  const text =
    "The password of your Parley account was changed, and every other device signed out. If that was not you, ask for a new password at once.";
  if (to.channel === "phone") return { channel: "phone", to: to.to, text };
  return { channel: "email", to: to.to, subject: "Your Parley password was changed", text };
}

export function mfaChangedMessage(to: Destination, change: "on" | "off"): Message {
  const text = `The second factor of your Parley account was turned ${change}. If that was not you, change your password at once.`;
  if (to.channel === "phone") return { channel: "phone", to: to.to, text };
  return { channel: "email", to: to.to, subject: `Two-factor authentication was turned ${change}`, text };
}

export function invitationMessage(
  to: string,
  { orgName, inviter, role, link }: { orgName: string; inviter: string; role: string; link: string },
): Message {
  return {
    channel: "email",
    to,
    subject: `You are invited to ${plainName(orgName)} on Parley`,
    text: `${plainName(inviter)} invites you to the organization "${plainName(orgName)}" on Parley as ${role}. The invitation is good for 7 days:\n\n${link}\n\nIf you do not know them, you need not do anything.`,
  };
}

export function ownershipProvenMessage(to: Destination): Message {
  const text =
    "You have shown that this Parley account is yours. The password, the API keys and the invitations from before that have ended; set a new password, and look at who is in your organization.";
  if (to.channel === "phone") return { channel: "phone", to: to.to, text };
  return { channel: "email", to: to.to, subject: "Your Parley account is yours now", text };
}

export function webhookFailureMessage(
  to: string,
  { url, reason, isDisabled, link }: { url: string; reason: string; isDisabled: boolean; link: string },
): Message {
  const host = new URL(url).host;
  const what = isDisabled
    ? `It is disabled and receives no more events. Fix your endpoint, then re-create it.`
    : `A delivery was given up after 8 attempts. The endpoint stays enabled.`;
  return {
    channel: "email",
    to,
    subject: isDisabled ? `A webhook to ${host} is disabled` : `A webhook to ${host} fails`,
    text: `The webhook to ${url} has trouble: ${reason}.\n\n${what}\n\nIts deliveries, with what the receiver answered, are in Parley at ${link}.`,
  };
}

export function accessEndedMessage(
  to: string,
  { label, lastError, link }: { label: string; lastError: string; link: string },
): Message {
  const plain = plainName(label);
  return {
    channel: "email",
    to,
    subject: `Parley lost its access to ${plain}`,
    text: `Agents can no longer use ${plain}. ${lastError}\n\nUntil somebody of your organization signs in there again, calls go on without it. Parley is at ${link}.`,
  };
}

export function spendingLimitMessage(
  to: string,
  about: { scope: string; amount: string; period: string; link: string },
): Message {
  const { scope, amount, period, link } = about;
  return {
    channel: "email",
    to,
    subject: `A spending limit of ${amount} is reached`,
    text: `The ${scope}'s spending limit of ${amount} a ${period} is reached. It only warns: nothing is refused. Add a hard limit to refuse new calls and messages.\n\nWhat was spent is in Parley at ${link}/billing.`,
  };
}

export function topUpFailedMessage(
  to: string,
  { amount, reason, link }: { amount: string; reason: string; link: string },
): Message {
  return {
    channel: "email",
    to,
    subject: `Topping up ${amount} failed`,
    text: `The balance is low, and ${amount} could not be added to it. The payment service said: ${reason}\n\nIt is not tried again by itself. Without a balance new calls are refused: add to it in Parley at ${link}/billing.`,
  };
}

export function billingMessage(
  to: string,
  about: { subject: string; text: string; orgName: string; link: string },
): Message {
  const { subject, text, orgName, link } = about;
  return {
    channel: "email",
    to,
    subject: `${plainName(orgName)}: ${subject}`,
    text: `${text}\n\nThis is about the organization "${plainName(orgName)}". Balance, invoices and numbers are in Parley at ${link}/billing.`,
  };
}

/** Names are free text, and must not become a second line or a link. */
function plainName(text: string): string {
  return text
    .replace(/[\s\p{C}]+/gu, " ")
    .replace(/[:/.@]/g, "·")
    .slice(0, 64);
}
