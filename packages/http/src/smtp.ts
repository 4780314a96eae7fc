/** The entry point `@lectern/http/smtp`: a mailer. It is separate, because it loads a library that few hosts need. */
export { type SmtpMailerOptions, smtpMailer } from "./mail/smtpMailer.ts"
