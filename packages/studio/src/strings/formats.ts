/** Dates, times and sizes in the current language. */
import { useStore } from "../store/store.ts"
import { type Locale, localeStore } from "./strings.ts"

/** The current time in milliseconds. */
const now = (): number => performance.timeOrigin + performance.now()

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60]
] as const

const relativeTime = (seconds: number, locale: Locale): string => {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" })
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return format.format(Math.round(seconds / length), unit)
  }
  return format.format(0, "minute")
}

const sizeUnits = ["byte", "kilobyte", "megabyte", "gigabyte"] as const

const formatBytes = (bytes: number, locale: Locale): string => {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), sizeUnits.length - 1)
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: sizeUnits[power]!,
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1
  }).format(bytes / 1000 ** power)
}

/** The formats of the current language. */
export interface Formats {
  /** A time relative to now, such as "3 hours ago". */
  readonly ago: (time: string) => string
  /** A date and a time. */
  readonly dateTime: (time: string) => string
  /** A day, such as `2026-11-26`, without a year. */
  readonly date: (day: string) => string
  readonly number: (value: number) => string
  /** A number of bytes, such as "1.4 MB". */
  readonly bytes: (bytes: number) => string
  /** Items of a list, joined by "and". */
  readonly list: (items: ReadonlyArray<string>) => string
}

/** Returns the formats of the current language. */
export const useFormats = (): Formats => {
  const locale = useStore(localeStore)
  return {
    ago: (time) => relativeTime((new Date(time).getTime() - now()) / 1000, locale),
    dateTime: (time) =>
      new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time)),
    date: (day) =>
      new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(
        new Date(day)
      ),
    number: (value) => new Intl.NumberFormat(locale).format(value),
    bytes: (bytes) => formatBytes(bytes, locale),
    list: (items) => new Intl.ListFormat(locale).format(items)
  }
}
