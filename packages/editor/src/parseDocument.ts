/** Parses the text of an OpenAPI document. */

/** Parses JSON or YAML. `undefined` if it is neither. */
export const parseDocument = async (text: string): Promise<unknown> => {
  try {
    return JSON.parse(text)
  } catch {
    const { parse } = await import("yaml")
    try {
      return parse(text, { logLevel: "silent" })
    } catch {
      return undefined
    }
  }
}
