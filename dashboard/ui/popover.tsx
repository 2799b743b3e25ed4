import type { ReactNode } from "react";
import { later } from "./later.ts";
import { Opener } from "./opener.tsx";

const PopoverBox = later(async () => (await import("./popover-box.tsx")).PopoverBox);

interface PopoverProps {
  /** The button's content. */
  readonly button: ReactNode;
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A button that opens something to read, with links and buttons. Its code comes with the first press. */
export function Popover(props: PopoverProps) {
  return <Opener {...props} opens="dialog" as={PopoverBox} preload={PopoverBox.preload} />;
}
