/** A real SMTP server on the loopback interface. */
import type { AddressInfo } from "node:net"
import { smtpMailer } from "@lectern/http/smtp"
import { Redacted } from "effect"
import { SMTPServer } from "smtp-server"
import { onTestFinished } from "vitest"

/** An e-mail as the server has received it. */
export interface ReceivedMail {
  readonly recipients: ReadonlyArray<string>
  readonly source: string
}

/** Starts a mail server. `rejects` is the number of e-mails that it rejects temporarily first. */
export const startMailServer = async (rejects = 0) => {
  const received: Array<ReceivedMail> = []
  let rejected = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        if (rejected++ < rejects) return done(Object.assign(new Error("busy"), { responseCode: 451 }))
        const source = Buffer.concat(chunks).toString()
        received.push({ recipients: session.envelope.rcptTo.map(({ address }) => address), source })
        done()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  const mailer = smtpMailer({
    url: Redacted.make(`smtp://127.0.0.1:${port}`),
    from: "Docs <docs@example.com>"
  })
  return { received, mailer }
}

/** Decodes the quoted-printable text of an e-mail. */
export const decodeMail = (source: string): string =>
  source
    .replaceAll("=\r\n", "")
    .replaceAll(/((?:=[0-9A-F]{2})+)/g, (bytes) => Buffer.from(bytes.replaceAll("=", ""), "hex").toString())

/** Returns the path and the query of the link in an e-mail. */
export const linkIn = ({ source }: ReceivedMail): string => {
  const [link] = /http:\/\/[^\s"]+\/~\/sign-in\/[^\s"<]+/.exec(decodeMail(source))!
  const url = new URL(link)
  return url.pathname + url.search
}
