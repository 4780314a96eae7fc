/** Renders e-mails. A host can replace the rendering. */
import { type MailToRender, type RenderedMail, renderMail } from "@lectern/model/mail"
import { Context } from "effect"

/** Renders e-mails. A host replaces it to send e-mails with its own design. */
export const MailTemplates = Context.Reference<(mail: MailToRender) => RenderedMail>(
  "@lectern/core/MailTemplates",
  { defaultValue: () => renderMail }
)
