/** Decodes the percent encoding of a path or of a segment of one; undefined if it is malformed. */
export const decodePath = (encoded: string): string | undefined => {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
