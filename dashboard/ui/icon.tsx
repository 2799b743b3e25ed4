/** Line icons on a 24 px grid; hidden from screen readers, which read the button beside them. */
const PATHS = {
  microphone: "M12 3a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5 11a7 7 0 0 0 14 0M12 18v3",
  "microphone-off":
    "M3 3l18 18M9 9v3a3 3 0 0 0 4.5 2.6M15 11V6a3 3 0 0 0-5.7-1.3M5 11a7 7 0 0 0 10.5 6.1M19 11a7 7 0 0 1-.6 2.8M12 18v3",
  keypad: "M6 5h.01M12 5h.01M18 5h.01M6 11h.01M12 11h.01M18 11h.01M6 17h.01M12 17h.01M18 17h.01M12 22h.01",
  "hang-up":
    "M2 15v-2c0-7 20-7 20 0v2a1.5 1.5 0 0 1-1.5 1.5h-3A1.5 1.5 0 0 1 16 15v-2c-2.4-.8-5.6-.8-8 0v2a1.5 1.5 0 0 1-1.5 1.5h-3A1.5 1.5 0 0 1 2 15Z",
  phone:
    "M5 4h4l1.5 5-2.5 1.5a11 11 0 0 0 5.5 5.5l1.5-2.5 5 1.5v4a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2Z",
  hold: "M9 5v14M15 5v14",
  resume: "M7 5l12 7-12 7Z",
  transfer: "M4 12h14M13 6l6 6-6 6M4 5v14",
  erase: "M9 5h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-6-7ZM12 9.5l5 5M17 9.5l-5 5",
  speaker: "M4 9.5v5h4l5 4v-13l-5 4ZM16.5 9a4.5 4.5 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11",
  "call-in":
    "M20 4l-6 6M14 5v5h5M5 4h3l1.5 5-2 1.5a11 11 0 0 0 5.500 5.500l1.500-2 5 1.500v3a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2Z",
  keyboard:
    "M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1ZM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  send: "M5 12h14M13 6l6 6-6 6",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  alert: "M12 9v4M12 17h.01M10.3 4 2.2 18a2 2 0 0 0 1.7 3h16.2a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0Z",
  stop: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18ZM5.7 5.7l12.6 12.6",
  waiting: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18ZM12 7.5V12l3 2",
  back: "M19 12H5M11 6l-6 6l6 6",
  theme: "M12 3a9 9 0 1 0 0 18ZM12 3a9 9 0 0 1 0 18",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      aria-hidden="true"
      className="icon"
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "keypad" ? 3.2 : 2}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
