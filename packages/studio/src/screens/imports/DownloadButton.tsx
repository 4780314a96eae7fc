/** A button that prepares a file on the server, and downloads it with its progress. */
import { ApiError } from "@lectern/client/fetch"
import { useEffect, useRef, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Progress } from "../../components/Progress.tsx"
import { Download } from "../../icons/icons.gen.ts"
import { useFormats } from "../../strings/formats.ts"
import { shellStrings } from "../../strings/shell.ts"
import { useStrings } from "../../strings/strings.ts"
import { type DownloadProgress, download, saveFile } from "./download.ts"
import { importStrings } from "./strings.ts"

type State =
  | { readonly state: "idle" }
  | { readonly state: "preparing" }
  | { readonly state: "downloading"; readonly progress: DownloadProgress }
  | { readonly state: "done"; readonly bytes: number }
  | { readonly state: "failed"; readonly message: string; readonly requestId?: string | undefined }

/** Properties of {@link DownloadButton}. */
export interface DownloadButtonProps {
  readonly label: string
  readonly fileName: string
  /** Returns the URL of the file. */
  readonly load: (options: { readonly signal: AbortSignal }) => Promise<{ readonly url: string }>
  readonly isPrimary?: boolean
}

/** A button that downloads a file which the server prepares. */
export const DownloadButton = ({ label, fileName, load, isPrimary = false }: DownloadButtonProps) => {
  const t = useStrings(importStrings)
  const shell = useStrings(shellStrings)
  const { bytes } = useFormats()
  const [state, setState] = useState<State>({ state: "idle" })
  const request = useRef<AbortController>(undefined)
  useEffect(() => () => request.current?.abort(), [])
  const start = async () => {
    const controller = new AbortController()
    request.current = controller
    const { signal } = controller
    setState({ state: "preparing" })
    try {
      const { url } = await load({ signal })
      const file = await download(url, (progress) => setState({ state: "downloading", progress }), signal)
      saveFile(file, fileName)
      setState({ state: "done", bytes: file.size })
    } catch (error) {
      if (signal.aborted) return setState({ state: "idle" })
      setState({
        state: "failed",
        message: error instanceof Error ? error.message : String(error),
        requestId: error instanceof ApiError ? error.requestId : undefined
      })
    }
  }
  const isRunning = state.state === "preparing" || state.state === "downloading"
  return (
    <div className="download">
      <div className="button-row">
        <Button
          variant={isPrimary ? "primary" : "normal"}
          icon={<Download size={16} />}
          isPending={isRunning}
          onPress={() => void start()}
        >
          {label}
        </Button>
        {isRunning ? (
          <Button variant="quiet" onPress={() => request.current?.abort()}>
            {shell("cancel")}
          </Button>
        ) : null}
      </div>
      {state.state === "preparing" ? <Progress label={t("preparing")} value={undefined} /> : null}
      {state.state === "downloading" ? (
        <Progress
          label={t("received", { size: bytes(state.progress.receivedBytes) })}
          value={
            state.progress.totalBytes === undefined
              ? undefined
              : state.progress.receivedBytes / state.progress.totalBytes
          }
        />
      ) : null}
      {state.state === "done" ? (
        <p role="status" className="small">
          {t("downloaded", { name: fileName, size: bytes(state.bytes) })}
        </p>
      ) : null}
      {state.state === "failed" ? (
        <p role="alert" className="form-error">
          {t("downloadFailed")} {state.message}
          {state.requestId === undefined ? null : (
            <code className="request-id">{shell("requestId", { id: state.requestId })}</code>
          )}
        </p>
      ) : null}
    </div>
  )
}
