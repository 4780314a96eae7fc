export { type Mail, Mailer, MailFailed, type SendMail } from "./Mailer.ts"
export {
  type MailItem,
  MailTemplates,
  type MailToRender,
  type RenderedMail,
  renderMail
} from "./MailTemplates.ts"
export { languageOf, type MailLanguage, type MailTemplate, mailLanguages } from "./mailTexts.ts"
