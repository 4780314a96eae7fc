/** The dialog that adds an API specification, or replaces its source. */
import type { OpenAPISpec, Organization } from "@lectern/client/fetch"
import { useState } from "react"
import { RadioField } from "../../components/CheckField.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { showToast } from "../../data/toasts.ts"
import { navigate } from "../../router/location.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { specsKey } from "./data.ts"
import { specStrings } from "./strings.ts"

type Kind = "url" | "file" | "text"

interface SourceDialogProps {
  readonly organization: Organization
  readonly spec: OpenAPISpec | undefined
  readonly onClose: () => void
}

const SourceDialog = ({ organization, spec, onClose }: SourceDialogProps) => {
  const t = useStrings(specStrings)
  const common = useStrings(commonStrings)
  const [slug, setSlug] = useState(spec?.slug ?? "")
  const [kind, setKind] = useState<Kind>(spec !== undefined && spec.sourceURL === undefined ? "file" : "url")
  const [url, setUrl] = useState(spec?.sourceURL ?? "")
  const [file, setFile] = useState<File>()
  const [text, setText] = useState("")
  const isComplete =
    kind === "url" ? url.trim() !== "" : kind === "file" ? file !== undefined : text.trim() !== ""
  const onSubmit = async () => {
    const source =
      kind === "url" ? { url: url.trim() } : { text: kind === "text" ? text : await file!.text() }
    const params = { organizationId: organization.id }
    if (spec === undefined)
      await client.openApiSpecs.createOpenAPISpec({ params, payload: { slug: slug.trim(), source } })
    else
      await client.openApiSpecs.createOrUpdateOpenAPISpecBySlug({
        params: { ...params, specSlug: spec.slug },
        payload: { source }
      })
    invalidate(specsKey(organization.id))
    if (spec === undefined) navigate(`/specs/${encodeURIComponent(slug.trim())}`)
    else showToast({ kind: "done", message: t("replaced") })
  }
  return (
    <FormDialog
      title={spec === undefined ? t("newSpec") : t("replace")}
      submit={spec === undefined ? common("add") : common("save")}
      isDisabled={slug.trim() === "" || !isComplete}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {spec === undefined ? (
            <TextField
              label={t("slug")}
              description={t("slugHint")}
              placeholder="petstore"
              autoFocus
              maxLength={100}
              value={slug}
              onChange={setSlug}
              error={errorOf("slug")}
            />
          ) : null}
          <RadioField
            label={t("source")}
            value={kind}
            choices={[
              { value: "url", label: t("fromUrl"), description: t("fromUrlHint") },
              { value: "file", label: t("fromFile"), description: t("fromFileHint") },
              { value: "text", label: t("fromText"), description: t("fromTextHint") }
            ]}
            onChange={setKind}
          />
          {kind === "url" ? (
            <TextField
              label={t("url")}
              type="url"
              placeholder="https://api.example.com/openapi.json"
              value={url}
              onChange={setUrl}
              error={errorOf("source")}
            />
          ) : null}
          {kind === "file" ? (
            <label className="field">
              <span className="field-label">{t("file")}</span>
              <input
                className="input"
                type="file"
                accept=".json,.yaml,.yml"
                onChange={(event) => setFile(event.target.files?.[0])}
              />
            </label>
          ) : null}
          {kind === "text" ? (
            <TextField label={t("text")} rows={8} value={text} onChange={setText} error={errorOf("source")} />
          ) : null}
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that adds a specification. */
export const openNewSpec = (organization: Organization): void =>
  openDialog((onClose) => <SourceDialog organization={organization} spec={undefined} onClose={onClose} />)

/** Opens the dialog that replaces the source of a specification. */
export const openReplaceSource = (organization: Organization, spec: OpenAPISpec): void =>
  openDialog((onClose) => <SourceDialog organization={organization} spec={spec} onClose={onClose} />)
