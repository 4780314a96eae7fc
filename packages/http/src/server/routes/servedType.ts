/** The content types with which files of others are served. */

const token = "[\\w!#$&^`|~'*%.+-]+"

/** A content type with its parameters. A list of types does not match: browsers use the last type. */
const contentTypePattern = new RegExp(`^\\s*(${token}/${token})\\s*(?:;[^,]*)?$`)

/** Content types that browsers execute or apply, in a page of the same origin: scripts, style sheets, modules, documents. */
const activeTypes =
  /^(?:(?:text|application)\/(?:x-)?(?:java|ecma|live|j)script(?:1\.\d)?|text\/(?:html|css|xml|xsl|vbscript|cache-manifest)|application\/(?:xml|xml-dtd|wasm|manifest\+json|x-shockwave-flash)|multipart\/.*|.*\+xml|message\/.*)$/i

/** The type of images that can contain scripts: as the source of an image, they do not run. */
const svg = "image/svg+xml"

/**
 * Returns the content type with which a file is served at the origin of the application: its own, unless a page of the origin could execute the
 * file, as the policy `script-src 'self'` permits. An SVG image has its own, which images require.
 */
export const servedType = (contentType: string): string => {
  const essence = contentTypePattern.exec(contentType)?.[1]?.toLowerCase()
  if (essence === undefined) return "application/octet-stream"
  if (essence === svg || !activeTypes.test(essence)) return contentType
  return essence === "application/wasm" || essence.startsWith("multipart/")
    ? "application/octet-stream"
    : "text/plain; charset=utf-8"
}
