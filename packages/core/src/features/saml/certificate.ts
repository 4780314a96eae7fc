/** The X.509 certificates of identity providers, as PEM or as the base64 of it. */
import { Effect } from "effect"
import { importX509 } from "jose"

const line = /.{1,64}/g

/** Converts a certificate to PEM, from PEM or the base64 of it. */
export const toPem = (certificate: string): string => {
  const body = certificate.replace(/-----[A-Z ]+-----/g, "").replace(/\s+/g, "")
  return `-----BEGIN CERTIFICATE-----\n${(body.match(line) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`
}

/** The supported signature algorithms. */
const algorithms = ["RS256", "ES256", "ES384", "ES512"] as const

/** Whether the text is a certificate with a public key of a supported algorithm. */
export const isCertificate = (certificate: string): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const pem = toPem(certificate)
    for (const algorithm of algorithms) {
      const key = await importX509(pem, algorithm).catch(() => undefined)
      if (key !== undefined) return true
    }
    return false
  })
