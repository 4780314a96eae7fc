/** Finds the files that an OpenAPI document in a repository is split into. */
import { resolveSegments } from "@lectern/content"

/** The maximum size of a document whose references are followed, in bytes. */
const maximumBytes = 20 * 1024 * 1024

const referencePattern = /\$ref["']?[ \t]*:[ \t]*["']?([^"'#\s]{1,500})/g

/** Whether a path can be that of an OpenAPI document. */
export const canBeSpec = (path: string): boolean => /\.(?:ya?ml|json)$/i.test(path)

/** Returns the paths that the references of a JSON or YAML document lead to; none for other JSON and YAML. */
export const specPartsOf = (path: string, bytes: Uint8Array): ReadonlyArray<string> => {
  if (!canBeSpec(path) || bytes.length > maximumBytes) return []
  const folder = path.split("/").slice(0, -1)
  const files = new Set(
    Array.from(new TextDecoder().decode(bytes).matchAll(referencePattern), ([, file]) => file!)
  )
  return [...files].flatMap((file) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(file)) return []
    const resolved = resolveSegments(file.startsWith("/") ? [] : folder, file.split("/"))
    return resolved === undefined ? [] : [resolved.join("/")]
  })
}
