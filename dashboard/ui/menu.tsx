import type { ReactNode } from "react";
import { later } from "./later.ts";
import { Opener } from "./opener.tsx";

const load = () => import("./menu-box.tsx");
const MenuBox = later(async () => {
  const code = await load();
  // A menu takes the focus to its first item as it opens.
  await Promise.all(ITEMS.map((item) => item.preload()));
  return code.MenuBox;
});

/** Does something, then closes the menu. */
export const MenuItem = later(async () => (await load()).MenuItem);
/** Leads elsewhere: `render` is the link. */
export const MenuLink = later(async () => (await load()).MenuLink);
/** Items with a heading, or with a name that is only heard. */
export const MenuGroup = later(async () => (await load()).MenuGroup);
/** One of several is chosen. */
export const MenuChoice = later(async () => (await load()).MenuChoice);
export const MenuOption = later(async () => (await load()).MenuOption);
/** On or off; the menu stays open. */
export const MenuCheck = later(async () => (await load()).MenuCheck);
const ITEMS = [MenuItem, MenuLink, MenuGroup, MenuChoice, MenuOption, MenuCheck] as const;

interface MenuProps {
  /** The button's content. */
  readonly button: ReactNode;
  readonly label: string;
  readonly className?: string;
  /** Items from this file. */
  readonly children: ReactNode;
}

/** A button that opens a menu, which is gone through by arrows and letters. Its code comes with the first press. */
export function Menu(props: MenuProps) {
  return <Opener {...props} opens="menu" as={MenuBox} preload={MenuBox.preload} />;
}
