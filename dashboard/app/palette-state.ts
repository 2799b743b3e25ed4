let open: (() => void) | undefined;

/** Opens the command palette of the visible frame. */
export function openPalette(): void {
  open?.();
}

/** Registers what opens the palette; returns the function that unregisters it. */
export function onOpenPalette(listener: () => void): () => void {
  open = listener;
  return () => {
    if (open === listener) open = undefined;
  };
}
