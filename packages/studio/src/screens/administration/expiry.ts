/** When links and tokens expire. */

const choices = ["7", "30", "90", "365"] as const

/** Returns choices of lifetimes in days, and `never`. `inDays` has the placeholder `#`. */
export const expiryChoices = (
  inDays: string,
  never: string
): ReadonlyArray<{ readonly value: string; readonly label: string }> => [
  ...choices.map((value) => ({ value, label: inDays.replace("#", value) })),
  { value: "never", label: never }
]

/** Returns the time after a number of days, or null for `never`. */
export const expiryIn = (days: string): string | null =>
  days === "never"
    ? null
    : new Date(performance.timeOrigin + performance.now() + Number(days) * 86_400_000).toISOString()
