let open: (() => void) | undefined;

/** Opens the command palette of the frame that is shown. */
export function openPalette(): void {
  open?.();
}

/** Says what opens it; gives what takes that back. */
export function onOpenPalette(listener: () => void): () => void {
  open = listener;
  return () => {
    if (open === listener) open = undefined;
  };
}
