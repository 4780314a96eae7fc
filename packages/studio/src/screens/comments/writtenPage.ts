/** The comments on the page that is being written. The editor has the places of comments in text that is not saved yet. */

import type { Comment } from "@lectern/client/fetch"
import type { CommentAnchor, CommentPlace, CommentsHost, Editor } from "@lectern/editor"
import { postComment } from "../../data/comments.ts"
import type { Place } from "../../data/content.ts"
import { addressStore, navigate } from "../../router/location.ts"
import { createStore } from "../../store/store.ts"
import type { Anchor } from "./anchors.ts"
import { anchorStore } from "./commentAnchor.ts"

/** The page that is being written. */
export interface WrittenPage {
  /** The id of the page. */
  readonly page: string
  /** The editor of the page. */
  readonly editor: Pick<Editor, "save" | "showComment">
  /** Whether each comment has a place in the text, by its id in the order of the text. The editor has only open comments. */
  readonly places: ReadonlyMap<string, boolean>
}

/** The page that is being written, if one is. */
export const writtenPageStore = createStore<WrittenPage | undefined>(undefined)

const openPanel = (comment: string | undefined): void => {
  const { path, query } = addressStore.get()
  const changed = new URLSearchParams(query)
  changed.set("panel", "comments")
  changed.delete("comment")
  if (comment !== undefined) changed.set("comment", comment)
  navigate(`${path}?${changed}`, { replace: true })
}

const anchorOf = (page: string, { block, preview, quote }: CommentAnchor): Anchor => ({
  page,
  ...(block === undefined ? {} : { block }),
  ...(preview === undefined ? {} : { preview }),
  ...(quote === undefined ? {} : { quote })
})

const placesOf = (places: ReadonlyArray<CommentPlace>): ReadonlyMap<string, boolean> =>
  new Map(places.map(({ id, top }) => [id, top !== undefined]))

const haveSamePlaces = (one: ReadonlyMap<string, boolean>, other: ReadonlyMap<string, boolean>): boolean =>
  JSON.stringify([...one]) === JSON.stringify([...other])

/** Creates the host of the comments of an editor: the panel of the page displays them. */
export const makeCommentsHost = (page: string, editor: () => Editor): CommentsHost => ({
  onPlaces: (places) => {
    const known = writtenPageStore.get()
    const changed = placesOf(places)
    if (known?.page === page && haveSamePlaces(known.places, changed)) return
    writtenPageStore.set({ page, editor: editor(), places: changed })
  },
  onStart: (anchor) => {
    anchorStore.set(anchorOf(page, anchor))
    openPanel(undefined)
  },
  onSelect: ([id]) => openPanel(id)
})

/** Returns the anchor by the text of its block, for a block that the saved page does not have. */
const byText = ({ block: _, preview = "", quote, ...rest }: Anchor): Anchor =>
  quote !== undefined ? { ...rest, quote } : preview === "" ? rest : { ...rest, quote: { text: preview } }

const payloadOf = ({ page, block, quote }: Anchor, markdown: string) => ({
  body: { markdown },
  ...(page === undefined ? {} : { page }),
  ...(block === undefined ? {} : { node: block }),
  ...(quote === undefined ? {} : { quote })
})

/** Posts a comment on a place. The text that is being written is saved before, so that the server has the block. */
export const postAt = async (place: Place, anchor: Anchor, markdown: string): Promise<Comment> => {
  const written = writtenPageStore.get()
  const isWritten = written !== undefined && written.page === anchor.page
  if (isWritten) await written.editor.save()
  if (anchor.block === undefined) return postComment(place, payloadOf(byText(anchor), markdown))
  try {
    return await postComment(place, payloadOf(anchor, markdown))
  } catch (error) {
    const isUnknownBlock = (error as { readonly _tag?: string })._tag === "InvalidInput"
    if (!isWritten || !isUnknownBlock) throw error
    return postComment(place, payloadOf(byText(anchor), markdown))
  }
}
