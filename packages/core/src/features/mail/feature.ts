import { Effect } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { housekeepingJob } from "../../kernel/jobs/housekeepingJob.ts"
import { mails } from "../../tables/mail/mailTable.ts"
import { Mails } from "./Mails.ts"

/** E-mail, for sign-in links and invitations. */
export const mailFeature = defineFeature("mail", {
  tables: [mails],
  userServices: {},
  layer: Mails.layer,
  jobs: Effect.map(Mails, ({ purge }) => [housekeepingJob("mail.purge", "1 hour", purge)])
})
