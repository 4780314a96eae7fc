/** The page of a host with an editor, which tests open. They reach its functions by `window.host`. */
import { TextSelection } from "prosemirror-state"
import "../../src/element.ts"
import { createServerBackend } from "../../src/backend.ts"
import {
  type CommentAnchor,
  type CommentPlace,
  type CommentsHost,
  createEditor,
  type Editor,
  type EditorBackend,
  type EditorOptions,
  loadMessages
} from "../../src/index.ts"

/** Options of the page, from its address. */
interface PageOptions {
  readonly token: string
  readonly organization: string
  readonly space: string
  readonly page: string
  readonly changeRequest?: string
  readonly language?: string
  readonly times?: EditorOptions["times"]
  /** Whether the host displays the comments. */
  readonly hasOwnComments?: boolean
  /** Whether the editor requires a confirmation before it edits the content of a space. */
  readonly asksForLiveEdits?: boolean
}

/** The calls of a host that displays the comments. */
interface CommentEvents {
  readonly places: Array<ReadonlyArray<CommentPlace>>
  readonly started: Array<CommentAnchor>
  readonly selected: Array<ReadonlyArray<string>>
}

/** The functions that tests call. */
export interface Host {
  editor: Editor | undefined
  open: (options: PageOptions) => Promise<void>
  openDocument: (document: unknown, language?: string) => void
  readonly commentEvents: CommentEvents
  readonly TextSelection: typeof TextSelection
}

declare global {
  interface Window {
    host: Host
  }
}

const parent = (): HTMLElement => document.querySelector<HTMLElement>("#editor")!

const commentEvents: CommentEvents = { places: [], started: [], selected: [] }

const commentsHost: CommentsHost = {
  onPlaces: (places) => commentEvents.places.push(places),
  onStart: (anchor) => commentEvents.started.push(anchor),
  onSelect: (ids) => commentEvents.selected.push(ids)
}

window.host = {
  editor: undefined,
  commentEvents,
  TextSelection,
  open: async ({
    token,
    organization,
    space,
    page,
    changeRequest,
    language = "en",
    times,
    hasOwnComments,
    asksForLiveEdits
  }) => {
    const backend: EditorBackend = createServerBackend({
      baseUrl: location.origin,
      token,
      organization,
      space,
      page,
      place: "the space",
      ...(changeRequest === undefined ? {} : { changeRequest })
    })
    await window.host.editor?.destroy()
    window.host.editor = createEditor(parent(), {
      backend,
      language,
      messages: await loadMessages(language),
      isLiveEditConfirmed: asksForLiveEdits !== true,
      ...(times === undefined ? {} : { times }),
      ...(hasOwnComments === true ? { comments: commentsHost } : {})
    })
    await window.host.editor.ready
  },
  openDocument: (document, language = "en") => {
    void window.host.editor?.destroy()
    window.host.editor = createEditor(parent(), {
      document: document as NonNullable<EditorOptions["document"]>,
      language
    })
  }
}
document.documentElement.dataset.ready = ""
