export {
  languageOf,
  type MailItem,
  type MailLanguage,
  type MailTemplate,
  type MailToRender,
  mailLanguages,
  type RenderedMail,
  renderMail
} from "@lectern/model/mail"
export { type Mail, Mailer, MailFailed, type SendMail } from "./Mailer.ts"
export { MailTemplates } from "./MailTemplates.ts"
