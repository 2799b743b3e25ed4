import { Outlet } from "@tanstack/react-router";
import { LongChoices } from "../ui/long-choices.tsx";
import { MissingNotice } from "../ui/missing-notice.tsx";
import { Tips } from "../ui/tips.tsx";

/** Around each page, signed in or not. */
export function Root() {
  return (
    <>
      <Outlet />
      <MissingNotice />
      <Tips />
      <LongChoices />
    </>
  );
}
