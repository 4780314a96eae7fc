/** Parses the X.509 certificates of identity providers, in PEM or as the bare base64 of the DER encoding. */

import { callPlatform } from "@lectern/kernel"
import type { Effect } from "effect"
import { importX509 } from "jose"

/** A line of PEM: at most 64 characters. */
const pemLine = /.{1,64}/g

/** Converts a certificate to PEM, from PEM or from bare base64. */
export const toPem = (certificate: string): string => {
  const body = certificate.replace(/-----[A-Z ]+-----/g, "").replace(/\s+/g, "")
  return `-----BEGIN CERTIFICATE-----\n${(body.match(pemLine) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`
}

/** The supported signature algorithms. */
const algorithms = ["RS256", "ES256", "ES384", "ES512"] as const

/** Whether the text is an X.509 certificate with a public key of a supported algorithm. */
export const isCertificate = (certificate: string): Effect.Effect<boolean> =>
  callPlatform(async () => {
    const pem = toPem(certificate)
    for (const algorithm of algorithms) {
      const key = await importX509(pem, algorithm).catch(() => undefined)
      if (key !== undefined) return true
    }
    return false
  })
