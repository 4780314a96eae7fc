/** Decrypts the private keys of sites, which sign the tokens of visitors. */
import type { Encryption, StorageUnavailable } from "@lectern/kernel"
import { privateKeyPlace, type SiteSettingsRow } from "@lectern/kernel/tables"
import { Effect } from "effect"

/** Returns the private key of a site; undefined without settings, or if no configured secret decrypts it. */
export const decryptPrivateKey = (
  { decryptOrPlain }: Encryption["Service"],
  site: SiteSettingsRow["site"],
  settings: Pick<SiteSettingsRow, "privateKey"> | undefined
): Effect.Effect<string | undefined, StorageUnavailable> =>
  settings === undefined ? Effect.undefined : decryptOrPlain(settings.privateKey, privateKeyPlace(site))
