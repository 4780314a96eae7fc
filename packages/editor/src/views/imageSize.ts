/** The sizes and the sources of images. */

/** Returns the length of a side in pixels; `undefined` for other units. */
export const pixelsOf = (length: unknown): number | undefined => {
  if (typeof length === "number") return Math.round(length)
  const { unit, value } = (typeof length === "object" && length !== null ? length : {}) as {
    readonly unit?: string
    readonly value?: number
  }
  return unit === "px" && value !== undefined ? Math.round(value) : undefined
}

/** Returns the CSS value of a length, or the empty string. */
export const cssLength = (length: unknown): string => {
  if (typeof length === "number") return `${length}px`
  const { unit, value } = (typeof length === "object" && length !== null ? length : {}) as {
    readonly unit?: string
    readonly value?: number
  }
  return typeof value === "number" && /^(?:%|[a-z]{1,4})$/.test(unit ?? "") ? `${value}${unit}` : ""
}

/** Returns a URL that an image can be loaded from; `undefined` for other protocols. */
export const safeSource = (source: string | undefined): string | undefined =>
  source !== undefined && /^(?:https?:|blob:|data:image\/|\/)/i.test(source) ? source : undefined
