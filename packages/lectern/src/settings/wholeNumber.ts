/** The schema of settings that are whole numbers. */
import { Schema } from "effect"

/** A whole number of things, from `minimum` to `maximum`. The error names the noun and the bounds. */
export const wholeNumber = (maximum: number, noun: string, minimum = 1) =>
  Schema.FiniteFromString.check(
    Schema.makeFilter((value: number) =>
      Number.isInteger(value) && value >= minimum && value <= maximum
        ? undefined
        : `must be a whole number of ${noun}, ${minimum} to ${maximum}`
    )
  )
