/** The certificate of an identity provider, however it is written down. */
import { Effect } from "effect"
import { importX509 } from "jose"

const line = /.{1,64}/g

/** A certificate as PEM, of PEM or of its base64 alone. */
export const toPem = (certificate: string): string => {
  const body = certificate.replace(/-----[A-Z ]+-----/g, "").replace(/\s+/g, "")
  return `-----BEGIN CERTIFICATE-----\n${(body.match(line) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`
}

/** What identity providers sign with. */
const algorithms = ["RS256", "ES256", "ES384", "ES512"] as const

/** Whether the text is a certificate with a key that signatures can be checked by. */
export const isCertificate = (certificate: string): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const pem = toPem(certificate)
    for (const algorithm of algorithms) {
      const key = await importX509(pem, algorithm).catch(() => undefined)
      if (key !== undefined) return true
    }
    return false
  })
