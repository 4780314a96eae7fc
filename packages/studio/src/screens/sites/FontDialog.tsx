/** The dialog that uploads a font of an organization. */
import { ApiError } from "@lectern/client/fetch"
import { useRef, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { fontStrings } from "./fontStrings.ts"
import { fontsKey } from "./fontsKey.ts"

/** A file with the weight that its name suggests, which the person can change. */
interface ChosenFile {
  readonly file: File
  readonly weight: number
}

const weights = [100, 200, 300, 400, 500, 600, 700, 800, 900]

const weightNames: ReadonlyArray<readonly [pattern: RegExp, weight: number]> = [
  [/thin|hairline/i, 100],
  [/(?:extra|ultra)[-_ ]?light/i, 200],
  [/light/i, 300],
  [/medium/i, 500],
  [/semi[-_ ]?bold|demi/i, 600],
  [/(?:extra|ultra)[-_ ]?bold/i, 800],
  [/bold/i, 700],
  [/black|heavy/i, 900]
]

const weightOf = (name: string): number =>
  Number(
    /(?<!\d)([1-9]00)(?!\d)/.exec(name)?.[1] ??
      weightNames.find(([pattern]) => pattern.test(name))?.[1] ??
      400
  )

/** Sends a file to a signed URL of this server, and returns its key. */
const upload = async (organizationId: string, file: File): Promise<string> => {
  const { url, key } = await client.uploads.generateStorageUploadURL({
    params: { organizationId },
    payload: { file: { name: file.name, type: file.type, size: file.size }, kind: "customization_font" }
  })
  const { pathname, search } = new URL(url)
  const sent = await fetch(`${pathname}${search}`, { method: "PUT", body: file }).catch((cause: unknown) => {
    throw new ApiError(file.name, { status: 0, code: "ConnectionFailed" }, { cause })
  })
  if (sent.ok) return key
  const { error } = (await sent.json().catch(() => ({}))) as {
    readonly error?: { readonly message?: string }
  }
  throw new ApiError(`${file.name}: ${error?.message ?? sent.status}`, {
    status: sent.status,
    code: "Unknown",
    requestId: sent.headers.get("x-request-id") ?? undefined
  })
}

interface FontDialogProps {
  readonly organizationId: string
  readonly onClose: () => void
}

const FontDialog = ({ organizationId, onClose }: FontDialogProps) => {
  const t = useStrings(fontStrings)
  const common = useStrings(commonStrings)
  const input = useRef<HTMLInputElement>(null)
  const [fontFamily, setFontFamily] = useState("")
  const [files, setFiles] = useState<ReadonlyArray<ChosenFile>>([])
  const onSubmit = async () => {
    const fontFaces: Array<{ readonly weight: number; readonly storageKey: string }> = []
    for (const { file, weight } of files) {
      fontFaces.push({ weight, storageKey: await upload(organizationId, file) })
    }
    await client.customFonts.createCustomFont({
      params: { organizationId },
      payload: { fontFamily: fontFamily.trim(), fontFaces }
    })
    invalidate(fontsKey(organizationId))
  }
  return (
    <FormDialog
      title={t("newFont")}
      submit={common("create")}
      isDisabled={fontFamily.trim() === "" || files.length === 0}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t("fontFamily")}
            autoFocus
            maxLength={50}
            value={fontFamily}
            onChange={setFontFamily}
            error={errorOf("fontFamily")}
          />
          <div className="field">
            <span className="field-label">{t("fontFiles")}</span>
            <div>
              <Button size="small" onPress={() => input.current?.click()}>
                {t("chooseFiles")}
              </Button>
            </div>
            <span className="field-description">{t("fontFilesHint")}</span>
          </div>
          <input
            ref={input}
            type="file"
            accept=".woff2,.woff"
            multiple
            hidden
            aria-label={t("fontFiles")}
            onChange={(event) =>
              setFiles([...(event.target.files ?? [])].map((file) => ({ file, weight: weightOf(file.name) })))
            }
          />
          {files.map(({ file, weight }, index) => (
            <SelectField
              key={file.name}
              label={t("weightOf", { name: file.name })}
              value={String(weight)}
              options={weights.map((value) => ({ value: String(value), label: String(value) }))}
              onChange={(value) => setFiles(files.with(index, { file, weight: Number(value) }))}
            />
          ))}
          {errorOf("fontFaces") === undefined ? null : <p className="field-error">{errorOf("fontFaces")}</p>}
          <p className="field-description">{t("noLicense")}</p>
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that uploads a font. */
export const openFont = (organizationId: string): void =>
  openDialog((onClose) => <FontDialog organizationId={organizationId} onClose={onClose} />)
