import type { CallingHours } from "@parley/shared/contracts/campaigns.ts";
import { parsePhoneNumberFromString } from "libphonenumber-js";

const COUNTRY = "country:";
const DAY_NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Whether the runtime knows the name as an IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    // UTC offsets are excluded: they have no DST.
    return /^[A-Za-z]/.test(name) && clockOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** Zone of a number, as `country:DE`. Returns undefined if no country has the number. */
export function zoneOfPhone(phone: string): string | undefined {
  const country = parsePhoneNumberFromString(phone)?.country;
  return country !== undefined && zonesOfCountry(country).length > 0 ? COUNTRY + country : undefined;
}

/** Whether people may be called now; in a country with several zones, every zone must be within hours. */
export function isOpen(zone: string, { days, from, to }: CallingHours, nowMs: number): boolean {
  const zones = zone.startsWith(COUNTRY) ? zonesOfCountry(zone.slice(COUNTRY.length)) : [zone];
  return zones.every((one) => {
    const { day, time } = timeIn(one, nowMs);
    return days.includes(day) && from <= time && time < to;
  });
}

/** By a zone's name in lowercase: its spellings, of which there are thousands, share the one clock. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(name: string): Intl.DateTimeFormat {
  const zone = name.toLowerCase();
  const known = clocks.get(zone);
  if (known) return known;
  const parts = { weekday: "short", hour: "2-digit", minute: "2-digit" } as const;
  const clock = new Intl.DateTimeFormat("en-US", { ...parts, timeZone: zone, hourCycle: "h23" });
  clocks.set(zone, clock);
  return clock;
}

function timeIn(zone: string, nowMs: number): { day: number; time: string } {
  const parts = clockOf(zone).formatToParts(nowMs);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  return { day: DAY_NAMES.indexOf(of("weekday")), time: `${of("hour")}:${of("minute")}` };
}

const byCountry = new Map<string, readonly string[]>();

/** Node 20 and 22 expose this as a property, later versions as a method, and the compiler knows neither. */
function zonesOfCountry(country: string): readonly string[] {
  const known = byCountry.get(country);
  if (known) return known;
  const region = new Intl.Locale(`und-${country}`);
  const method: unknown = Reflect.get(region, "getTimeZones");
  const read: unknown =
    typeof method === "function" ? Reflect.apply(method, region, []) : Reflect.get(region, "timeZones");
  const zones = Array.isArray(read) ? read.filter((zone) => typeof zone === "string") : [];
  byCountry.set(country, zones);
  return zones;
}
