/** A guided import into a space: what, where to, and whether it is reviewed before readers see it. */
import type { ImportRun, Space, StartImportRun } from "@lectern/client/fetch"
import { useState } from "react"
import { RadioField } from "../../components/CheckField.tsx"
import { TextField } from "../../components/fields.tsx"
import { ItemRow } from "../../components/ItemList.tsx"
import { Progress } from "../../components/Progress.tsx"
import { SettingsForm } from "../../components/SettingsForm.tsx"
import { Loaded } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { invalidate } from "../../data/cache.ts"
import { FileUp, GitBranch, Globe } from "../../icons/icons.gen.ts"
import { navigate } from "../../router/location.ts"
import { client } from "../../session.ts"
import { useFormats } from "../../strings/formats.ts"
import { useStrings } from "../../strings/strings.ts"
import { RunStatus } from "./RunStatus.tsx"
import { archiveEmptyDraft, sourceUrl, startRun, uploadFile, useRuns } from "./runs.ts"
import { SpaceFrame } from "./SpaceFrame.tsx"
import { importStrings } from "./strings.ts"
import { type Tool, ToolField } from "./ToolField.tsx"

type Kind = "website" | "repository" | "files"
type Target = "change" | "space"

const accepted = ".zip,.tar,.tar.gz,.tgz,.md,.markdown,.html,.htm,.docx"

/** The maximum number of files of one import. */
const maximumFiles = 20

const isArchive = (url: string): "zip" | "tarball" | undefined =>
  /\.zip$/i.test(url) ? "zip" : /\.(tar|tgz|tar\.gz)$/i.test(url) ? "tarball" : undefined

const pathOf = (url: string): string => {
  try {
    return new URL(url).pathname
  } catch {
    return ""
  }
}

/** Returns the source of a URL: an archive, a wiki or a repository by its form. */
const sourceOf = (
  kind: "website" | "repository",
  text: string,
  tool: Tool | undefined
): StartImportRun["source"] => {
  const url = text.trim()
  if (kind === "website") return { type: "website", url }
  const archive = isArchive(pathOf(url))
  if (tool !== undefined) {
    const isComplete = archive !== undefined || /\.git\/?$/.test(pathOf(url))
    return { type: tool, url: isComplete ? url : `${url.replace(/\/$/, "")}.git` }
  }
  if (archive !== undefined) return { type: archive, url }
  return { type: /\/wiki\/?$|\.wiki(\.git)?$/.test(pathOf(url)) ? "github-wiki" : "git", url }
}

interface FilesFieldProps {
  readonly files: ReadonlyArray<File>
  readonly onChange: (files: ReadonlyArray<File>) => void
}

const FilesField = ({ files, onChange }: FilesFieldProps) => {
  const t = useStrings(importStrings)
  const { bytes } = useFormats()
  return (
    <label className="field">
      <span className="field-label">{t("files")}</span>
      <input
        className="input"
        type="file"
        multiple
        accept={accepted}
        onChange={(event) => onChange([...(event.target.files ?? [])].slice(0, maximumFiles))}
      />
      <span className="field-description">{t("filesHint")}</span>
      {files.length === 0 ? null : (
        <ul className="small">
          {files.map(({ name, size }) => (
            <li key={name}>
              {name} · {bytes(size)}
            </li>
          ))}
        </ul>
      )}
    </label>
  )
}

const createRequest = async (space: Space, subject: string): Promise<{ readonly changeRequest: string }> => {
  const { id } = await client.changeRequests.createChangeRequest({
    params: { spaceId: space.id },
    payload: { subject }
  })
  return { changeRequest: id }
}

interface Upload {
  readonly sent: number
  readonly total: number
}

const ImportForm = ({ space }: { readonly space: Space }) => {
  const t = useStrings(importStrings)
  const { bytes } = useFormats()
  const [kind, setKind] = useState<Kind>("website")
  const [url, setUrl] = useState("")
  const [files, setFiles] = useState<ReadonlyArray<File>>([])
  const canWriteDirectly = space.permissions.edit && space.editMode !== "locked"
  const [target, setTarget] = useState<Target>("change")
  const [upload, setUpload] = useState<Upload>()
  const [tool, setTool] = useState<Tool>()
  const hasTool = kind === "repository" || (kind === "files" && isArchive(files[0]?.name ?? "") !== undefined)
  const sendFiles = async (): Promise<StartImportRun["source"]> => {
    const total = files.reduce((sum, { size }) => sum + size, 0)
    let before = 0
    const keys: Array<string> = []
    for (const file of files) {
      const offset = before
      const { signal } = new AbortController()
      keys.push(
        await uploadFile(
          space.organization,
          file,
          (sent) => setUpload({ sent: offset + sent, total }),
          signal
        )
      )
      before += file.size
    }
    return { type: "file", files: keys, ...(tool === undefined || !hasTool ? {} : { format: tool }) }
  }
  const start = async () => {
    try {
      const source = kind === "files" ? await sendFiles() : sourceOf(kind, url, tool)
      const subject = kind === "files" ? files[0]!.name : url.trim()
      const request: { readonly changeRequest?: string } =
        target === "change"
          ? await createRequest(space, t("importSubject", { source: subject }).slice(0, 100))
          : {}
      const run = await startRun(space.organization, {
        source,
        target: { space: space.id, ...request }
      }).catch(async (error: unknown) => {
        const { changeRequest } = request
        if (changeRequest !== undefined)
          await archiveEmptyDraft(space.id, changeRequest).catch(() => undefined)
        throw error
      })
      invalidate(`imports/of/${space.id}`)
      navigate(`/spaces/${space.id}/import/${run.id}`)
    } finally {
      setUpload(undefined)
    }
  }
  const isReady = kind === "files" ? files.length > 0 : /^https?:\/\/[^/]+/.test(url.trim())
  return (
    <SettingsForm submit={t("start")} message={t("started")} isDisabled={!isReady} onSubmit={start}>
      {(errorOf) => (
        <>
          <RadioField
            label={t("what")}
            value={kind}
            choices={[
              { value: "website", label: t("website"), description: t("websiteHint") },
              { value: "repository", label: t("repository"), description: t("repositoryHint") },
              { value: "files", label: t("documents"), description: t("documentsHint") }
            ]}
            onChange={setKind}
          />
          {kind === "files" ? (
            <FilesField files={files} onChange={setFiles} />
          ) : (
            <TextField
              label={kind === "website" ? t("websiteUrl") : t("repositoryUrl")}
              type="url"
              maxLength={2_048}
              placeholder={
                kind === "website" ? "https://docs.example.com" : "https://github.com/acme/docs.git"
              }
              value={url}
              onChange={setUrl}
              error={isReady || url.trim() === "" ? errorOf("source") : t("urlRequired")}
            />
          )}
          {hasTool ? <ToolField value={tool} onChange={setTool} /> : null}
          <RadioField
            label={t("where")}
            value={target}
            choices={[
              { value: "change", label: t("intoChange"), description: t("intoChangeHint") },
              ...(canWriteDirectly
                ? [{ value: "space" as const, label: t("intoSpace"), description: t("intoSpaceHint") }]
                : [])
            ]}
            onChange={setTarget}
          />
          {upload === undefined ? null : (
            <Progress
              label={t("uploading", { sent: bytes(upload.sent), total: bytes(upload.total) })}
              value={upload.total === 0 ? undefined : upload.sent / upload.total}
            />
          )}
        </>
      )}
    </SettingsForm>
  )
}

const iconOf = ({ source }: ImportRun) => {
  if (source.type === "file") return <FileUp size={18} aria-hidden />
  return source.type === "website" ? <Globe size={18} aria-hidden /> : <GitBranch size={18} aria-hidden />
}

const Runs = ({ spaceId }: { readonly spaceId: string }) => {
  const t = useStrings(importStrings)
  const runs = useRuns(spaceId)
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("runs")}</h2>
      </div>
      <Loaded resource={runs}>
        {(items) =>
          items.length === 0 ? (
            <p className="muted">{t("noRuns")}</p>
          ) : (
            <ul className="list">
              {items.map((run) => (
                <li key={run.id}>
                  <ItemRow
                    icon={iconOf(run)}
                    title={sourceUrl(run) ?? t("documents")}
                    to={`/spaces/${spaceId}/import/${run.id}`}
                    details={run.startedAt === undefined ? undefined : <Time value={run.startedAt} />}
                    tags={<RunStatus status={run.status} />}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

/** A guided import into a space. */
const ImportScreen = ({ params }: { readonly params: { readonly space: string } }) => {
  const t = useStrings(importStrings)
  return (
    <SpaceFrame
      spaceId={params.space}
      title={t("importTitle")}
      isPermitted={({ permissions }) => permissions.edit}
    >
      {(space) => (
        <>
          <ImportForm space={space} />
          <Runs spaceId={space.id} />
        </>
      )}
    </SpaceFrame>
  )
}

export default ImportScreen
