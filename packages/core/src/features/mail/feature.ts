import { defineFeature, housekeepingJob } from "@lectern/kernel"
import { mails } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { Mails } from "./Mails.ts"

/** E-mail, for sign-in links and invitations. */
export const mailFeature = defineFeature("mail", {
  tables: [mails],
  userServices: {},
  layer: Mails.layer,
  jobs: Effect.map(Mails, ({ purge }) => [housekeepingJob("mail.purge", "1 hour", purge)])
})
