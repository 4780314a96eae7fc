/** Renders e-mails as plain text and as accessible HTML. */
import { type MailLanguage, type MailTemplate, type MailValues, mailTexts } from "./mailTexts.ts"

/** An e-mail to render. */
export interface MailToRender extends MailValues {
  /** The kind of the e-mail, which determines its wording: a sign-in link, an invitation or notifications. */
  readonly template: MailTemplate
  /** The language of the e-mail, also the `lang` attribute of its HTML. */
  readonly language: MailLanguage
  /** The notifications to list, each with a URL; none by default. */
  readonly items?: ReadonlyArray<MailItem>
  /** The URL that ends such e-mails by one POST request; undefined for an e-mail that the recipient has requested. */
  readonly unsubscribeUrl?: string
}

/** A notification in an e-mail. */
export interface MailItem {
  /** The sentence, without control characters. */
  readonly text: string
  /** The URL of the content that it is about. */
  readonly url: string
}

/** The content of an e-mail, in two equivalent forms. */
export interface RenderedMail {
  /** The subject: one line. */
  readonly subject: string
  /** The content as plain text. */
  readonly text: string
  /** The content as an HTML document. */
  readonly html: string
  /** The URL that ends such e-mails by one POST request (RFC 8058); undefined for an e-mail that the recipient has requested. */
  readonly unsubscribeUrl?: string
}

/** The maximum length of a value of others in an e-mail, in characters. */
const maximumLength = 200

/** Joins the lines of a value of others and removes its control characters, so that it cannot add lines or headers to an e-mail. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, maximumLength)
    .toWellFormed()

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const bodyStyle = "margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1c2024;background:#ffffff"
const linkStyle =
  "display:inline-block;padding:10px 20px;border-radius:6px;background:#1c2024;color:#ffffff;text-decoration:none"

const renderItems = (items: ReadonlyArray<MailItem>): string =>
  items.length === 0
    ? ""
    : `<ul style="padding:0;list-style:none">${items
        .map(
          ({ text, url }) =>
            `<li style="margin:0 0 12px"><a href="${escapeHtml(url)}" style="color:#1c2024">${escapeHtml(text)}</a></li>`
        )
        .join("")}</ul>\n`

/** Renders an e-mail in its language. */
export const renderMail = ({ template, language, url, ...values }: MailToRender): RenderedMail => {
  const { subject, paragraphs, action, footnote } = mailTexts[language][template]({
    url,
    host: oneLine(values.host),
    organization: oneLine(values.organization),
    inviter: oneLine(values.inviter)
  })
  const items = (values.items ?? []).map((item) => ({ ...item, text: oneLine(item.text) }))
  const { unsubscribeUrl } = values
  const text = [
    ...paragraphs,
    ...items.map((item) => `${item.text}\n${item.url}`),
    `${action}: ${url}`,
    footnote,
    ...(unsubscribeUrl === undefined ? [] : [unsubscribeUrl])
  ].join("\n\n")
  const html = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="${bodyStyle}">
<main style="max-width:560px;margin:0 auto">
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join("\n")}
${renderItems(items)}<p><a href="${escapeHtml(url)}" style="${linkStyle}">${escapeHtml(action)}</a></p>
<p style="font-size:14px;color:#60646c">${escapeHtml(footnote)}${
    unsubscribeUrl === undefined
      ? ""
      : ` <a href="${escapeHtml(unsubscribeUrl)}">${escapeHtml(unsubscribeUrl)}</a>`
  }</p>
<p style="font-size:14px;color:#60646c;overflow-wrap:anywhere">${escapeHtml(url)}</p>
</main>
</body>
</html>
`
  return {
    subject: oneLine(subject),
    text: `${text}\n`,
    html,
    ...(unsubscribeUrl === undefined ? {} : { unsubscribeUrl })
  }
}
