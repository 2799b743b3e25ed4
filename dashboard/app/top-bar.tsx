import { Link } from "@tanstack/react-router";
import { Menu as MenuIcon, Search, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useFocusBack } from "../ui/dialog.tsx";
import { later } from "../ui/later.ts";
import logoUrl from "../ui/parley.svg";
import { NoticeBell } from "./notice-bell.tsx";
import { OrgMenu } from "./org-menu.tsx";
import { onOpenPalette, openPalette } from "./palette-state.ts";
import { PageLinks } from "./sidebar.tsx";
import { UserMenu } from "./user-menu.tsx";

const Palette = later(async () => (await import("./palette.tsx")).Palette);

const Modal = later(async () => (await import("../ui/modal.tsx")).Modal);

interface TopBarProps {
  readonly onShow: (orgId: string) => void;
}

/** Above each page on a small screen: navigation and search. */
export function TopBar({ onShow }: TopBarProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="top">
      <button
        type="button"
        className="menu-button"
        aria-label="Menu"
        onPointerDown={() => void Modal.preload()}
        onFocus={() => void Modal.preload()}
        onClick={() => setOpen(true)}
      >
        <MenuIcon aria-hidden="true" className="icon" />
      </button>
      <Link to="/" className="side-logo">
        <img src={logoUrl} alt="" width="24" height="24" /> Parley
      </Link>
      <button type="button" className="menu-button top-search" aria-label="Go to…" onClick={openPalette}>
        <Search aria-hidden="true" className="icon" />
      </button>
      <NoticeBell />
      {isOpen && <Drawer onShow={onShow} onClose={() => setOpen(false)} />}
    </header>
  );
}

function Drawer({ onShow, onClose }: TopBarProps & { readonly onClose: () => void }) {
  useFocusBack();
  return (
    <Modal
      className="drawer"
      label="Menu"
      closesBeside
      onDismiss={onClose}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest("a")) onClose();
      }}
    >
      <div className="drawer-inside">
        <div className="side-head">
          <OrgMenu onShow={onShow} />
          <button type="button" className="menu-button" aria-label="Close" onClick={onClose}>
            <X aria-hidden="true" className="icon" />
          </button>
        </div>
        <PageLinks />
        <UserMenu />
      </div>
    </Modal>
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
      if (document.querySelector("[aria-modal='true']")) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  if (!isOpen) return null;
  return <Palette onClose={() => setOpen(false)} />;
}
