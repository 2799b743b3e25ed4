import { useEffect, useRef, useState } from "react";
import { useLocation, useRouter } from "wouter";
import { Dialog } from "../../ui/dialog.tsx";

let onBack: ((event: PopStateEvent) => void) | undefined;
// Listeners of the window's are called in the order they came: this one must be there before the router's.
addEventListener("popstate", (event) => onBack?.(event));

interface LeaveGuardProps {
  /** Where one may go without losing anything; an address of the router's. */
  readonly within: string;
}

/** While it is there nobody leaves without being asked: by a link, by going back, or by closing the page. */
export function LeaveGuard({ within }: LeaveGuardProps) {
  const [, navigate] = useLocation();
  const { base } = useRouter();
  const [wanted, setWanted] = useState<string>();
  const isAgreed = useRef(false);
  const home = base + within;
  useEffect(() => {
    const isHome = (url: URL | Location): boolean =>
      url.origin === location.origin && (url.pathname === home || url.pathname.startsWith(`${home}/`));
    let here = location.href;
    const onClick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const isElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
      if (!(link instanceof HTMLAnchorElement) || isElsewhere || link.target === "_blank") return;
      if (isHome(new URL(link.href))) return;
      event.preventDefault();
      event.stopPropagation();
      setWanted(link.href);
    };
    const onPopState = (event: PopStateEvent): void => {
      if (isHome(location)) {
        here = location.href;
        return;
      }
      const away = location.href;
      // The router must not see it, and the address is this page's again.
      event.stopImmediatePropagation();
      history.pushState(null, "", here);
      setWanted(away);
    };
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (!isAgreed.current) event.preventDefault();
    };
    const onMoved = (): void => {
      here = location.href;
    };
    document.addEventListener("click", onClick, true);
    onBack = onPopState;
    addEventListener("pushState", onMoved);
    addEventListener("beforeunload", onUnload);
    return () => {
      document.removeEventListener("click", onClick, true);
      onBack = undefined;
      removeEventListener("pushState", onMoved);
      removeEventListener("beforeunload", onUnload);
    };
  }, [home]);
  if (wanted === undefined) return null;
  const leave = (): void => {
    const url = new URL(wanted);
    const inside = url.origin === location.origin && url.pathname.startsWith(`${base}/`);
    setWanted(undefined);
    if (inside) navigate(url.pathname.slice(base.length) + url.search);
    else {
      // It was asked once.
      isAgreed.current = true;
      location.assign(url);
    }
  };
  return (
    <Dialog title="Leave without saving?" onClose={() => setWanted(undefined)}>
      <p>What you changed of this agent is not saved and would be lost.</p>
      <div className="row">
        <button type="button" className="pf-btn pf-btn-primary" onClick={() => setWanted(undefined)}>
          Stay here
        </button>
        <button type="button" className="pf-btn pf-btn-danger" onClick={leave}>
          Leave, lose my changes
        </button>
      </div>
    </Dialog>
  );
}
