import { Outlet } from "@tanstack/react-router";
import { MissingNotice } from "../ui/missing-notice.tsx";

/** Around each page, signed in or not. */
export function Root() {
  return (
    <>
      <Outlet />
      <MissingNotice />
    </>
  );
}
