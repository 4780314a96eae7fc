/** Replaces what differs between two runs of the same scenario: ids, times, secrets, names of the run, and addresses. */

/** The id with a number: as long as ids are, of the same characters. */
const idOf = (number: number): string => `01h${String(number).padStart(27, "0")}`

/** A secret, a hash or a cursor. The length of cursors differs between runs, so all have the same. */
const secret = "Example0123456789Example0123456789"

/** The length of a hash, which may have no digit by chance. */
const hashLength = 32

/** Whether random characters are a secret or a hash, and not a name. */
const isSecret = (text: string): boolean =>
  /[A-Z]/.test(text) && /[a-z]/.test(text) && (/\d/.test(text) || text.length === hashLength)

/**
 * Replaces the varying parts of JSON. Ids are numbered in the order in which they occur, so that equal ids stay equal.
 * `tag` is what the names of the run contain.
 */
export const replaceVarying = (json: string, tag: string): string => {
  const ids = new Map<string, string>()
  const certificates: Array<string> = []
  return (
    json
      // Validators that read the OpenAPI document would take it for the identifier of a schema.
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
