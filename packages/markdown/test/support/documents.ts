/** Compares documents. */
/** Returns nodes without the keys of its nodes, which are derived from their positions. */
export const withoutKeys = (nodes: unknown): unknown => {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== "object" || value === null) return value
    const entries = Object.entries(value).filter(([name]) => name !== "key" || !("object" in value))
    return Object.fromEntries(entries.map(([name, child]) => [name, strip(child)]))
  }
  return strip(nodes)
}
