import { Link } from "@tanstack/react-router";
import { Menu as MenuIcon, Search, X } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { later } from "../ui/later.ts";
import logoUrl from "../ui/parley.svg";
import { NoticeBell } from "./notice-bell.tsx";
import { OrgMenu } from "./org-menu.tsx";
import { onOpenPalette, openPalette } from "./palette-state.ts";
import { PageLinks } from "./sidebar.tsx";
import { UserMenu } from "./user-menu.tsx";

const Palette = later(async () => (await import("./palette.tsx")).Palette);

/** Above each page on a small screen: navigation and search. */
export function TopBar({ onShow }: { readonly onShow: (orgId: string) => void }) {
  const drawer = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    setOpen(true);
    drawer.current?.showModal();
  };
  return (
    <header className="top">
      <button type="button" className="menu-button" aria-label="Menu" onClick={open}>
        <MenuIcon aria-hidden="true" className="icon" />
      </button>
      <Link to="/" className="side-logo">
        <img src={logoUrl} alt="" width="24" height="24" /> Parley
      </Link>
      <button type="button" className="menu-button top-search" aria-label="Go to …" onClick={openPalette}>
        <Search aria-hidden="true" className="icon" />
      </button>
      <NoticeBell />
      <dialog
        ref={drawer}
        className="drawer"
        aria-label="Menu"
        onClose={() => setOpen(false)}
        onClick={({ target, currentTarget }) => {
          // A press beside the drawer, or on a link in it.
          if (target === currentTarget || (target instanceof Element && target.closest("a")))
            currentTarget.close();
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Escape") currentTarget.close();
        }}
      >
        {isOpen && (
          <div className="drawer-inside">
            <div className="side-head">
              <OrgMenu onShow={onShow} />
              <button
                type="button"
                className="menu-button"
                aria-label="Close"
                onClick={() => drawer.current?.close()}
              >
                <X aria-hidden="true" className="icon" />
              </button>
            </div>
            <PageLinks />
            <UserMenu />
          </div>
        )}
      </dialog>
    </header>
  );
}

/** Opens by a press or Ctrl+K on all screens; loads its code on first use. */
export function PaletteHost() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => onOpenPalette(() => setOpen(true)), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      // One dialog at a time.
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense>
      <Palette onClose={() => setOpen(false)} />
    </Suspense>
  );
}
