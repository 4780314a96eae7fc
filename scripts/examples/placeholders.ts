/** Makes examples reproducible: replaces ids, times, secrets, generated names and addresses, which differ between runs. */

/** Returns a placeholder id with a number, of the length and the alphabet of real ids. */
const idOf = (number: number): string => `01h${String(number).padStart(27, "0")}`

/** The placeholder of all secrets, hashes and cursors. The length of cursors differs between runs. */
const secret = "Example0123456789Example0123456789"

/** The length of a hash. Some hashes contain no digit. */
const hashLength = 32

/** Whether a string looks like a secret or a hash, and not like a name. */
const isSecret = (text: string): boolean =>
  /[A-Z]/.test(text) && /[a-z]/.test(text) && (/\d/.test(text) || text.length === hashLength)

/**
 * Replaces the varying parts of JSON. Ids are numbered in the order in which they occur, so that equal ids stay equal.
 * `tag` is the random part of the names that the run generated.
 */
export const replaceVarying = (json: string, tag: string): string => {
  const ids = new Map<string, string>()
  const certificates: Array<string> = []
  return (
    json
      // Validators of OpenAPI documents would interpret it as the identifier of a schema.
      .replaceAll(/"\$id":"[^"]*",/g, "")
      .replaceAll(/-----BEGIN [\s\S]*?-----END [A-Z ]+-----/g, (certificate) => {
        certificates.push(certificate)
        return `<certificate ${certificates.length - 1}>`
      })
      .replaceAll(/\b01[0-9a-hjkmnp-tv-z]{28}\b/g, (id) => {
        const placeholder = ids.get(id) ?? idOf(ids.size + 1)
        ids.set(id, placeholder)
        return placeholder
      })
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "2026-01-15T09:30:00.000Z")
      .replaceAll(tag, "demo")
      .replaceAll("https://acme.example/docs-api", "https://docs.example.com")
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://www.example.com")
      .replaceAll(/(\bedition=)[0-9a-f]{16}\b/g, "$10123456789abcdef")
      .replaceAll(/(\bexpires=)\d+/g, "$11768469400")
      .replaceAll(/[A-Za-z0-9_-]{30,}/g, (text) => (isSecret(text) ? secret : text))
      .replaceAll(/<certificate (\d+)>/g, (_, index: string) => certificates[Number(index)]!)
  )
}
