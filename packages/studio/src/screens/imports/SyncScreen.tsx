/** Git synchronization of a space: its state, imports, exports, and how to repair what fails. */
import type { GitInfo, Space } from "@lectern/client/fetch"
import { useState } from "react"
import { ButtonLink } from "../../components/Button.tsx"
import { CheckField, RadioField } from "../../components/CheckField.tsx"
import { CopyText } from "../../components/CopyText.tsx"
import { TextField } from "../../components/fields.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { Progress } from "../../components/Progress.tsx"
import { SettingsForm } from "../../components/SettingsForm.tsx"
import { FailedState, Skeleton } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { useChangeRequest } from "../../data/changeRequests.ts"
import { usePolling } from "../../data/lists.ts"
import { spaceKey } from "../../data/spaces.ts"
import { useResource } from "../../data/useResource.ts"
import { client } from "../../session.ts"
import { readStored, writeStored } from "../../store/store.ts"
import { useStrings } from "../../strings/strings.ts"
import { SpaceFrame } from "./SpaceFrame.tsx"
import { importStrings } from "./strings.ts"

const gitKey = (spaceId: string): string => `spaces/${spaceId}/git`

/** The synchronization of a space; nothing is loaded without one. */
const useGitInfo = ({ id, gitSync }: Space) =>
  useResource(gitSync === undefined ? undefined : gitKey(id), (signal) =>
    client.git.getSpaceGitInfo({ params: { spaceId: id } }, { signal })
  )

const stages = {
  repo_fetch: "stageFetch",
  config_check: "stageConfig",
  content_process: "stageContent",
  finalize: "stageFinalize"
} as const

const stageParts = { repo_fetch: 0.2, config_check: 0.4, content_process: 0.7, finalize: 0.9 } as const

const ConflictRequest = ({ space, id }: { readonly space: Space; readonly id: string }) => {
  const t = useStrings(importStrings)
  const { data: request } = useChangeRequest(space.id, id)
  return (
    <div role="alert" className="notice notice-warning">
      <p>{t("gitConflict")}</p>
      {request === undefined ? null : (
        <ButtonLink size="small" to={`/spaces/${space.id}/changes/${request.number}/review`}>
          {t("resolveConflict", { number: request.number })}
        </ButtonLink>
      )}
    </div>
  )
}

const Operation = ({ operation, waiting }: Pick<GitInfo, "operation" | "waiting">) => {
  const t = useStrings(importStrings)
  const isImport = operation.direction === "import"
  if (operation.state === "running") {
    return (
      <>
        <Progress label={t(stages[operation.stage])} value={stageParts[operation.stage]} />
        {waiting === undefined ? null : <p className="muted small">{t("waiting", { count: waiting })}</p>}
      </>
    )
  }
  if (operation.state === "failure") {
    return (
      <div role="alert" className="notice notice-danger">
        <p>
          <strong>{isImport ? t("gitImportFailed") : t("gitExportFailed")}</strong>
        </p>
        <p>{operation.error}</p>
        <p className="small">{t("gitRemedy")}</p>
      </div>
    )
  }
  return (
    <p className="small muted">
      {isImport ? t("gitImported") : t("gitExported")}{" "}
      <Time value={operation.completedAt ?? operation.updatedAt} />
    </p>
  )
}

const Status = ({ space, info }: { readonly space: Space; readonly info: GitInfo }) => {
  const t = useStrings(importStrings)
  return (
    <section className="section settings-form">
      <h2>{t("gitStatus")}</h2>
      <dl className="definitions">
        <dt>{t("repository")}</dt>
        <dd>
          {info.url === undefined ? (
            info.repoName
          ) : (
            <a href={info.url} target="_blank" rel="noreferrer">
              {info.repoName ?? info.url}
            </a>
          )}
        </dd>
        <dt>{t("branch")}</dt>
        <dd>
          <code>{info.ref.replace(/^refs\/heads\//, "")}</code>
        </dd>
        {info.commit === undefined ? null : (
          <>
            <dt>{t("commit")}</dt>
            <dd>
              <code>{info.commit.slice(0, 10)}</code>
            </dd>
          </>
        )}
      </dl>
      <Operation
        operation={info.operation}
        {...(info.waiting === undefined ? {} : { waiting: info.waiting })}
      />
      {info.changeRequest === undefined ? null : <ConflictRequest space={space} id={info.changeRequest} />}
      {info.webhook === undefined ? null : (
        <>
          <CopyText label={t("gitWebhook")} text={info.webhook} />
          <p className="small muted">{t("gitWebhookHint")}</p>
        </>
      )}
    </section>
  )
}

const urlKey = (spaceId: string): string => `git.${spaceId}`

/** Returns a URL without its user name and its password. */
const withoutCredentials = (text: string): string => {
  try {
    const url = new URL(text)
    url.username = ""
    url.password = ""
    return url.href
  } catch {
    return text
  }
}

const SyncForm = ({ space, info }: { readonly space: Space; readonly info: GitInfo | null }) => {
  const t = useStrings(importStrings)
  const stored = readStored(urlKey(space.id))
  const [direction, setDirection] = useState<"import" | "export">("import")
  const [url, setUrl] = useState(typeof stored === "string" ? stored : "")
  const [branch, setBranch] = useState(info?.ref.replace(/^refs\/heads\//, "") ?? "main")
  const [folder, setFolder] = useState("")
  const [message, setMessage] = useState(t("defaultMessage"))
  const [force, setForce] = useState(false)
  const isImport = direction === "import"
  const start = async () => {
    const params = { spaceId: space.id }
    const connection = {
      url: url.trim(),
      ref: `refs/heads/${branch.trim()}`,
      ...(folder.trim() === "" ? {} : { repoProjectDirectory: folder.trim() }),
      ...(force ? { force } : {})
    }
    if (isImport) await client.git.importGitRepository({ params, payload: connection })
    else
      await client.git.exportToGitRepository({
        params,
        payload: { ...connection, commitMessage: message.trim() }
      })
    writeStored(urlKey(space.id), withoutCredentials(url.trim()))
    setForce(false)
    invalidate(`${spaceKey(space.id)}/space`)
    invalidate(gitKey(space.id))
  }
  /** Confirms first if one side replaces the other one. */
  const send = async (): Promise<boolean> => {
    if (!force) {
      await start()
      return true
    }
    openConfirm({
      title: isImport ? t("forceImport") : t("forceExport"),
      body: isImport ? t("forceImportHint") : t("forceExportHint"),
      confirm: isImport ? t("gitImport") : t("gitExport"),
      run: () =>
        void runChange({
          send: start,
          message: t("gitStarted"),
          failure: t("gitFailed"),
          invalidates: [gitKey(space.id)]
        })
    })
    return false
  }
  const isReady = url.trim() !== "" && branch.trim() !== "" && (isImport || message.trim() !== "")
  return (
    <SettingsForm
      title={info === null ? t("connect") : t("gitRun")}
      description={info === null ? t("connectBody") : t("gitRunBody")}
      submit={isImport ? t("gitImport") : t("gitExport")}
      message={t("gitStarted")}
      isDisabled={!isReady}
      onSubmit={send}
    >
      {(errorOf) => (
        <>
          <RadioField
            label={t("direction")}
            value={direction}
            choices={[
              { value: "import", label: t("gitImport"), description: t("gitImportHint") },
              { value: "export", label: t("gitExport"), description: t("gitExportHint") }
            ]}
            onChange={setDirection}
          />
          <TextField
            label={t("gitUrl")}
            description={t("gitUrlHint")}
            placeholder="https://github.com/acme/docs.git"
            value={url}
            onChange={setUrl}
            error={errorOf("url")}
          />
          <div className="field-row">
            <TextField label={t("branch")} value={branch} onChange={setBranch} error={errorOf("ref")} />
            <TextField
              label={t("folder")}
              placeholder="docs"
              value={folder}
              onChange={setFolder}
              error={errorOf("repoProjectDirectory")}
            />
          </div>
          {isImport ? null : (
            <TextField
              label={t("commitMessage")}
              maxLength={10_000}
              value={message}
              onChange={setMessage}
              error={errorOf("commitMessage")}
            />
          )}
          <CheckField
            label={isImport ? t("forceImport") : t("forceExport")}
            description={isImport ? t("forceImportHint") : t("forceExportHint")}
            isChecked={force}
            onChange={setForce}
          />
        </>
      )}
    </SettingsForm>
  )
}

const Sync = ({ space }: { readonly space: Space }) => {
  const info = useGitInfo(space)
  const data = space.gitSync === undefined ? null : info.data
  usePolling(info, data?.operation.state === "running")
  if (data === undefined)
    return info.error === undefined ? <Skeleton /> : <FailedState error={info.error} onRetry={info.reload} />
  return (
    <>
      {data === null ? null : <Status space={space} info={data} />}
      <SyncForm space={space} info={data} />
    </>
  )
}

/** Git synchronization of a space. */
const SyncScreen = ({ params }: { readonly params: { readonly space: string } }) => {
  const t = useStrings(importStrings)
  return (
    <SpaceFrame
      spaceId={params.space}
      title={t("syncTitle")}
      isPermitted={({ permissions }) => permissions.triggerGitSync}
    >
      {(space) => <Sync space={space} />}
    </SpaceFrame>
  )
}

export default SyncScreen
