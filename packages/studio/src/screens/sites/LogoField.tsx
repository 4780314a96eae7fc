/** The field of a logo: the URL of an image, or an image of this device. */
import type { Space } from "@lectern/client/fetch"
import { useRef, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { TextField, type TextFieldProps } from "../../components/fields.tsx"
import { showFailure } from "../../data/change.ts"
import { uploadFile } from "../../data/files.ts"
import { useList } from "../../data/lists.ts"
import { isDirect } from "../../edits/editing.ts"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { type KnownSite, siteKey } from "./data.ts"
import { lookStrings } from "./lookStrings.ts"

/** Returns the first space of a site whose files the person can change directly. Its files are served with the site. */
const useSpaceOfImages = (known: KnownSite): Space | undefined =>
  useList(`${siteKey(known.site.id)}/spaces`, (query, signal) =>
    client.siteSpaces.listSiteSpaces({ params: known.params, query }, { signal })
  ).data?.find(({ space }) => space.permissions.edit && isDirect(space, { spaceId: space.id }))?.space

/** Properties of {@link LogoField}. */
export interface LogoFieldProps extends Pick<TextFieldProps, "label" | "description" | "error"> {
  readonly known: KnownSite
  readonly value: string
  readonly onChange: (url: string) => void
  /** The label of the button that uploads an image. */
  readonly upload: string
}

/** The field of a logo. An uploaded image becomes a file of a space of the site. */
export const LogoField = ({ known, value, onChange, upload, ...properties }: LogoFieldProps) => {
  const t = useStrings(lookStrings)
  const input = useRef<HTMLInputElement>(null)
  const [isPending, setIsPending] = useState(false)
  const space = useSpaceOfImages(known)
  const send = async (file: File | undefined) => {
    if (file === undefined || space === undefined) return
    setIsPending(true)
    try {
      const { signal } = new AbortController()
      const stored = await uploadFile({ spaceId: space.id }, file, () => undefined, signal)
      if (stored !== undefined) onChange(stored.downloadURL)
    } catch (error) {
      showFailure(t("logoNotUploaded"), error)
    } finally {
      setIsPending(false)
    }
  }
  return (
    <div className="logo-field">
      <TextField {...properties} type="url" value={value} onChange={onChange} />
      {space === undefined ? null : (
        <>
          <Button size="small" isPending={isPending} onPress={() => input.current?.click()}>
            {upload}
          </Button>
          <span className="field-description">{t("logoStored", { space: space.title })}</span>
          <input
            ref={input}
            type="file"
            accept="image/*"
            hidden
            aria-label={upload}
            onChange={(event) => {
              void send(event.target.files?.[0])
              event.target.value = ""
            }}
          />
        </>
      )}
    </div>
  )
}
