/** Identifies the secret of a workspace in backups, which must be restored with the same secret. */

import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect, Redacted } from "effect"
import { Base64Url } from "effect/encoding"
import { secrets } from "../security/Signatures.ts"
import type { ReadError, RecordsAdapter } from "../storage/RecordsAdapter.ts"
import type { BackupSecret } from "./BackupSource.ts"

/** Returns the fingerprint of a secret. The secret cannot be derived from it. */
export const secretFingerprint = (secret: Redacted.Redacted<string>): string =>
  Base64Url.encode(
    hmac(sha256, utf8ToBytes(Redacted.value(secret)), utf8ToBytes("fingerprint of backups"))
  ).slice(0, 22)

/** Identifies the secret that a workspace has generated and stored, or returns null if it has not. */
export const findStoredSecret = (
  adapter: RecordsAdapter["Service"]
): Effect.Effect<BackupSecret | null, ReadError> =>
  Effect.map(
    adapter.find(secrets, {
      where: { op: "eq", column: "name", value: "signatures" },
      orderBy: secrets.key,
      direction: "asc"
    }),
    ([row]) =>
      row === undefined
        ? null
        : { fingerprint: secretFingerprint(Redacted.make(String(row.value))), isStored: true }
  )
