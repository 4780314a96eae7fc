/** A block of an API, displayed as in the editor. */
import { useContext, useEffect, useRef, useState } from "react"
import { Button } from "../components/Button.tsx"
import { useStore } from "../store/store.ts"
import { localeStore, useStrings } from "../strings/strings.ts"
import { DocumentContext } from "./DocumentContext.ts"
import { ReferenceView } from "./MediaBlocks.tsx"
import type { BlockNode } from "./nodes.ts"
import { documentStrings } from "./strings.ts"

interface DisplayProps {
  readonly node: BlockNode
  /** The organization whose specifications are displayed. */
  readonly organizationId: string
}

const Display = ({ node, organizationId }: DisplayProps) => {
  const t = useStrings(documentStrings)
  const host = useRef<HTMLDivElement>(null)
  const language = useStore(localeStore)
  const [state, setState] = useState<"loading" | "displayed" | "failed">("loading")
  const [attempt, setAttempt] = useState(0)
  const { fileOf } = useContext(DocumentContext)
  const files = useRef(fileOf)
  files.current = fileOf
  const { type = "", data = {} } = node
  const content = JSON.stringify(data)
  // A file is found once the files of the page are loaded.
  const { file } = (data.ref ?? {}) as { readonly file?: unknown }
  const fileUrl = typeof file === "string" ? fileOf(file)?.downloadURL : undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: `content` and `fileUrl` stand for objects that are new for each rendering.
  useEffect(() => {
    let isActive = true
    let end: (() => void) | undefined
    const start = async () => {
      const [{ displayApi }, { holdWorker, makeApiLoader }] = await Promise.all([
        import("@lectern/editor/api"),
        import("./apiLoader.ts")
      ])
      if (!isActive || host.current === null) return
      const place = { organizationId, urlOfFile: async (id: string) => files.current(id)?.downloadURL }
      const release = holdWorker()
      const remove = displayApi(host.current, {
        type,
        data,
        language,
        apis: makeApiLoader(place)
      })
      end = () => {
        remove()
        release()
      }
      setState("displayed")
    }
    setState("loading")
    start().catch(() => {
      if (isActive) setState("failed")
    })
    return () => {
      isActive = false
      end?.()
    }
  }, [type, content, fileUrl, language, organizationId, attempt])

  return (
    <div className="api-block">
      {state === "displayed" ? null : <ReferenceView node={node} />}
      {state === "failed" ? (
        <div className="notice" role="alert">
          <p>{t("apiFailed")}</p>
          <Button size="small" onPress={() => setAttempt(attempt + 1)}>
            {t("retry")}
          </Button>
        </div>
      ) : null}
      <div ref={host} hidden={state !== "displayed"} />
    </div>
  )
}

/** A block of an API: its display where APIs are displayed, and a reference elsewhere, such as in differences. */
export const ApiBlock = ({ node }: { readonly node: BlockNode }) => {
  const { organizationId } = useContext(DocumentContext)
  return organizationId === undefined ? (
    <ReferenceView node={node} />
  ) : (
    <Display node={node} organizationId={organizationId} />
  )
}
