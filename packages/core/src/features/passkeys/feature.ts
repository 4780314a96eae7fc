import { defineFeature, housekeepingJob } from "@lectern/kernel"
import { passkeys, recoveryCodes, recoveryFailures, usedChallenges } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { PasskeySignIns } from "./PasskeySignIns.ts"
import { Passkeys } from "./Passkeys.ts"

/** Passkeys and recovery codes: sign-ins by them, and second factors. */
export const passkeysFeature = defineFeature("passkeys", {
  uses: ["sessions"],
  tables: [passkeys, usedChallenges, recoveryCodes, recoveryFailures],
  userServices: { passkeys: Passkeys },
  layer: Layer.merge(Passkeys.layer, PasskeySignIns.layer),
  jobs: Effect.map(PasskeySignIns, ({ purge }) => [housekeepingJob("passkeys.purge", "1 hour", purge)])
})
