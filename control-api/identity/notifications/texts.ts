import type { Message } from "./message.ts";

/** Where a message goes. */
export interface Destination {
  readonly channel: "email" | "phone";
  readonly to: string;
}

/** Every message Parley sends. Each says who asked, how long it is valid, and what to do if it was not you. */

export function codeMessage(to: Destination, { code, minutes }: { code: string; minutes: number }): Message {
  const text = `Your Parley code is ${code}. It expires in ${minutes} minutes and works once. Parley never asks you for it: don't share it.`;
  if (to.channel === "phone") return { channel: "phone", to: to.to, text };
  return {
    channel: "email",
    to: to.to,
    subject: `${code} is your Parley code`,
    text: `${text}\n\nIf you didn't request this code, you can ignore this email.`,
  };
}

export function resetMessage(to: Destination, { link, minutes }: { link: string; minutes: number }): Message {
  if (to.channel === "phone") {
    return {
      channel: "phone",
      to: to.to,
      text: `Reset your Parley password within ${minutes} minutes: ${link}`,
    };
  }
  return {
    channel: "email",
    to: to.to,
    subject: "Reset your Parley password",
    text: `We received a request to reset the password of your Parley account. Set a new one within ${minutes} minutes:\n\n${link}\n\nIf you didn't request this, you can ignore this email: your password stays the same.`,
  };
}

export function passwordChangedMessage(to: Destination): Message {
  const text =
    "The password of your Parley account was changed, and all other devices were signed out. If this wasn't you, reset your password right away.";
  if (to.channel === "phone") return { channel: "phone", to: to.to, text };
  return { channel: "email", to: to.to, subject: "Your Parley password was changed", text };
}

export function mfaChangedMessage(to: Destination, change: "on" | "off"): Message {
  const text = `Two-factor authentication was turned ${change} for your Parley account. If this wasn't you, change your password right away.`;
  if (to.channel === "phone") return { channel: "phone", to: to.to, text };
  return { channel: "email", to: to.to, subject: `Two-factor authentication was turned ${change}`, text };
}

/** Who invites: a name, which is free text, and the account's own address. */
export interface Inviter {
  readonly name: string;
  readonly email: string | null;
}

/** @param plain takes from the name what its place must not show */
export function inviterText({ name, email }: Inviter, plain = (text: string): string => text): string {
  if (name === "") return email ?? "A teammate";
  return email === null ? plain(name) : `${plain(name)} (${email})`;
}

export function invitationMessage(
  to: string,
  { orgName, inviter, role, link }: { orgName: string; inviter: Inviter; role: string; link: string },
): Message {
  return {
    channel: "email",
    to,
    subject: `You're invited to ${plainName(orgName)} on Parley`,
    text: `${inviterText(inviter, plainName)} invited you to join the organization "${plainName(orgName)}" on Parley as ${role}. Accept the invitation within 7 days:\n\n${link}\n\nIf you don't know them, you can ignore this email.`,
  };
}

/** `hasPassword`: they set one with the link that proved it. */
export function ownershipProvenMessage(
  to: Destination,
  { hasPassword }: { readonly hasPassword: boolean },
): Message {
  const nextStep = hasPassword
    ? "Check who is in your organization."
    : "Set a new password, and check who is in your organization.";
  const text = `You verified that this Parley account is yours. Its earlier password, keys, webhooks and invitations no longer work. ${nextStep}`;
  if (to.channel === "phone") return { channel: "phone", to: to.to, text };
  return { channel: "email", to: to.to, subject: "Your Parley account is verified", text };
}

export function webhookFailureMessage(
  to: string,
  { url, reason, isDisabled, link }: { url: string; reason: string; isDisabled: boolean; link: string },
): Message {
  const host = new URL(url).host;
  const what = isDisabled
    ? `The webhook is now disabled and receives no more events. Fix your endpoint, then re-create it in Parley.`
    : `A delivery failed after 8 attempts. The webhook stays enabled. Fix your endpoint, then replay what failed.`;
  return {
    channel: "email",
    to,
    subject: isDisabled ? `Your webhook to ${host} is disabled` : `Your webhook to ${host} is failing`,
    text: `The webhook to ${url} has a problem: ${reason}.\n\n${what}\n\nSee its deliveries and your endpoint's responses: ${link}`,
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
    text: `Agents can no longer use ${plain}. ${lastError}\n\nCalls continue without it until someone in your organization signs in to it again in Parley: ${link}`,
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
    subject: `Spending limit of ${amount} reached`,
    text: `The ${scope} reached its spending limit of ${amount} per ${period}. This limit only warns you: nothing is refused. To refuse new calls and messages, add a hard limit.\n\nSee your spending: ${link}/billing`,
  };
}

export function topUpFailedMessage(
  to: string,
  { amount, reason, link }: { amount: string; reason: string; link: string },
): Message {
  return {
    channel: "email",
    to,
    subject: `Automatic top-up of ${amount} failed`,
    text: `Your balance is low, and ${amount} could not be added to it. The payment service said: ${reason}\n\nThis top-up is not retried. New calls are refused once the balance is used up. Add funds: ${link}/billing`,
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
    text: `${text}\n\nThis email is about the organization "${plainName(orgName)}". See its balance, invoices and numbers: ${link}/billing`,
  };
}

/** Names are free text, and must not become a second line or a link. */
function plainName(text: string): string {
  return text
    .replace(/[\s\p{C}]+/gu, " ")
    .replace(/[:/.@]/g, "·")
    .slice(0, 64);
}
