/** A reusable content: for writing in the editor, or for reading. */
import type { JSONDocumentEncoded, ReusableContent } from "@lectern/client/fetch"
import { useEffect, useRef, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { useTitle } from "../../components/Screen.tsx"
import { Loaded, Skeleton } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { showFailure } from "../../data/change.ts"
import { type Place, placeKey } from "../../data/content.ts"
import { loadReusable, loadReusableDocument } from "../../data/reusable.ts"
import { useResource } from "../../data/useResource.ts"
import { DocumentView } from "../../document/DocumentView.tsx"
import { isDirect, placeOfEdits } from "../../edits/editing.ts"
import { Pencil } from "../../icons/icons.gen.ts"
import { navigate } from "../../router/location.ts"
import { credentials } from "../../session.ts"
import { useStore } from "../../store/store.ts"
import { localeStore, useStrings } from "../../strings/strings.ts"
import { changesStrings } from "../changes/strings.ts"
import { PageDocumentProvider } from "../space/PageDocumentProvider.tsx"
import { affectedKeys } from "../space/pageChanges.ts"
import { ResourceFrame, type ResourceParams, type ResourcePlace, resourcePath } from "./ResourceFrame.tsx"
import { makeReusableBackend } from "./reusableBackend.ts"
import { resourcesStrings } from "./strings.ts"

interface ContentProps {
  readonly known: ResourcePlace
  readonly content: ReusableContent
  readonly document: JSONDocumentEncoded
}

/** Creates the editor. Returns a function that removes it. */
const startEditor = async (
  host: HTMLElement,
  { known, content }: ContentProps,
  locale: "en" | "de" | "fr",
  placeName: string
): Promise<() => Promise<void>> => {
  const [{ BackendFailure, createEditor, loadMessages }, { createServerBackend }, { startEditorApis }] =
    await Promise.all([
      import("@lectern/editor"),
      import("@lectern/editor/backend"),
      import("../../document/editorApis.ts")
    ])
  const { place, space } = known
  const shared = createServerBackend({
    ...credentials,
    organization: space.organization,
    space: space.id,
    page: content.id,
    ...(place.change === undefined ? {} : { changeRequest: place.change })
  })
  const messages = await loadMessages(locale)
  const { apis, release } = startEditorApis(space.organization, place)
  const editor = createEditor(host, {
    backend: makeReusableBackend({
      place,
      id: content.id,
      shared,
      placeName,
      toFailure: (error) => {
        const { status, message } = error as { readonly status: number; readonly message: string }
        const reason =
          status === 401
            ? "signed-out"
            : status === 403
              ? "forbidden"
              : status === 404
                ? "not-found"
                : status === 0 || status === 429 || status >= 500
                  ? "unavailable"
                  : "rejected"
        return new BackendFailure(reason, message, { cause: error })
      }
    }),
    messages,
    language: locale,
    label: content.title,
    apis,
    onStatus: ({ _tag }) => {
      if (_tag === "Saved") for (const key of affectedKeys(place)) invalidate(key)
    }
  })
  await editor.ready
  return () => {
    release()
    return editor.destroy()
  }
}

const ContentEditor = (properties: ContentProps) => {
  const t = useStrings(resourcesStrings)
  const locale = useStore(localeStore)
  const host = useRef<HTMLDivElement>(null)
  const [isReady, setIsReady] = useState(false)
  const { place } = properties.known
  const changes = useStrings(changesStrings)
  const placeName =
    place.change === undefined
      ? properties.known.space.title
      : changes("changeRequestPlace", { number: place.change })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created again for another content or language.
  useEffect(() => {
    if (host.current === null) return
    const starting = startEditor(host.current, properties, locale, placeName)
    let isActive = true
    starting.then(
      () => {
        if (isActive) setIsReady(true)
      },
      (error: unknown) => {
        if (isActive) showFailure(t("edit"), error)
      }
    )
    return () => {
      isActive = false
      void starting.then(
        (destroy) => destroy(),
        () => undefined
      )
    }
  }, [place.spaceId, place.change, properties.content.id, locale])
  return (
    <div className="editor-form">
      {place.change === undefined ? <p className="muted small">{t("editingDirect")}</p> : null}
      {isReady ? null : <Skeleton rows={5} kind="text" />}
      <div ref={host} className="editor-host" />
    </div>
  )
}

const edit = async ({ known, content }: ContentProps): Promise<void> => {
  const target: Place = await placeOfEdits(known.space, known.place)
  navigate(`${resourcePath(target, `reusable/${content.id}`)}?view=edit`)
}

const Content = (properties: ContentProps) => {
  const t = useStrings(resourcesStrings)
  const { known, content, document } = properties
  const isWriting = known.canEdit && isDirect(known.space, known.place)
  useTitle(content.title)
  return (
    <>
      <h2>{content.title}</h2>
      {isWriting ? (
        <ContentEditor key={content.id} {...properties} />
      ) : (
        <PageDocumentProvider place={known.place} organizationId={known.space.organization}>
          {known.canEdit ? (
            <Button
              variant="primary"
              icon={<Pencil size={15} aria-hidden />}
              onPress={() => void edit(properties).catch((error: unknown) => showFailure(t("edit"), error))}
            >
              {t("edit")}
            </Button>
          ) : null}
          <DocumentView document={document} />
        </PageDocumentProvider>
      )}
    </>
  )
}

const LoadedContent = ({ known, id }: { readonly known: ResourcePlace; readonly id: string }) => {
  // Loaded once: the editor has its own text after that.
  const content = useResource(`${placeKey(known.place)}/reusable/${id}`, async (signal) => ({
    content: await loadReusable(known.place, id, signal),
    document: await loadReusableDocument(known.place, id, signal)
  }))
  return (
    <Loaded resource={content} skeleton={<Skeleton rows={5} kind="text" />}>
      {(loaded) => <Content known={known} {...loaded} />}
    </Loaded>
  )
}

/** A reusable content. */
const ReusableEditorScreen = ({
  params
}: {
  readonly params: ResourceParams & { readonly content: string }
}) => {
  const t = useStrings(resourcesStrings)
  return (
    <ResourceFrame params={params} title={t("reusable")}>
      {(known) => <LoadedContent known={known} id={params.content} />}
    </ResourceFrame>
  )
}

export default ReusableEditorScreen
