/** The sign-in page, which leads back to where the person is. */
export function signInAddress(): string {
  return `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
}
