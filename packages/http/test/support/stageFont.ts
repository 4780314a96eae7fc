/** Uploads a font for a user, as the contract does by HTTP. */
import { CurrentUser, Uploads, UserId } from "@lectern/core"
import { OrganizationId } from "@lectern/model"
import { UploadKey } from "@lectern/model/uploads"
import { Effect, Stream } from "effect"

/** Returns a file with the header of a WOFF2 font; `content` distinguishes files. */
export const fontBytes = (content = ""): Uint8Array => {
  const rest = new TextEncoder().encode(content)
  const bytes = new Uint8Array(48 + rest.length)
  const header = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode("wOF2"))
  header.setUint32(4, 0x0001_0000)
  header.setUint32(8, bytes.length)
  header.setUint16(12, 1)
  bytes.set(rest, 48)
  return bytes
}

/** Uploads a font, and returns its key. */
export const stageFont = Effect.fnUntraced(function* (user: string, organization: string) {
  const uploads = yield* Uploads
  const bytes = fontBytes()
  const { url, key } = yield* CurrentUser.provide(UserId.make(user))(
    uploads.create({
      organization: OrganizationId.make(organization),
      input: {
        file: { name: "font.woff2", type: "font/woff2", size: bytes.length },
        kind: "customization_font"
      }
    })
  )
  const query = new URL(url).searchParams
  yield* uploads.receive({
    upload: { key: UploadKey.make(key), expires: Number(query.get("expires")) },
    signature: query.get("signature") ?? "",
    contentLength: bytes.length,
    digest: undefined,
    read: () => Stream.make(bytes)
  })
  return key
})
