/** The sides of a conflict, and the choice between them. */
import { compareSequences } from "../../diff/compareSequences.ts"
import { DiffView } from "../../diff/DiffView.tsx"
import { Blocks } from "../../document/Blocks.tsx"
import type { BlockNode } from "../../document/nodes.ts"
import { useStrings } from "../../strings/strings.ts"
import { changesStrings } from "./strings.ts"

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** One side of a conflict. Words that the base does not have are marked. */
const MarkedText = ({ text, base }: { readonly text: string; readonly base: string }) => (
  <pre className="diff">
    {compareSequences(wordsOf(base), wordsOf(text), (word) => word).map((change, index) =>
      change.kind === "deleted" ? null : change.kind === "inserted" ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of a comparison never move.
        <ins key={index}>{change.item}</ins>
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of a comparison never move.
        <span key={index}>{change.after}</span>
      )
    )}
  </pre>
)

interface SideProps {
  readonly title: string
  readonly text: string
  /** The text before the changes. The words that it lacks are marked. */
  readonly base?: string
}

/** One side of a conflict, with its title. */
const Side = ({ title, text, base = text }: SideProps) => (
  <div className="conflict-side">
    <p className="diff-side-title">{title}</p>
    <MarkedText text={text} base={base} />
  </div>
)

interface RenderedSideProps {
  readonly title: string
  readonly blocks: ReadonlyArray<BlockNode>
  /** The blocks before the changes. Absent for themselves. */
  readonly base?: ReadonlyArray<BlockNode>
}

/** One side of a conflict of text, as readers see it. The words that differ from the text before are marked. */
export const RenderedSide = ({ title, blocks, base }: RenderedSideProps) => (
  <div className="conflict-side">
    <p className="diff-side-title">{title}</p>
    {base === undefined ? (
      <div className="document" translate="no">
        <Blocks nodes={blocks} />
      </div>
    ) : (
      <DiffView before={base} after={blocks} layout="inline" />
    )}
  </div>
)

/** Properties of {@link SideChoice}. */
export interface SideChoiceProps {
  readonly name: string
  /** The accessible name of the choice; the name by default. */
  readonly label?: string
  readonly theirs: string
  readonly ours: string
  readonly side: "theirs" | "ours" | undefined
  readonly onChoose: (side: "theirs" | "ours") => void
}

/** A conflict of a single value. */
export const SideChoice = ({ name, label = name, theirs, ours, side, onChoose }: SideChoiceProps) => {
  const t = useStrings(changesStrings)
  return (
    <div className="conflict">
      <div className="conflict-sides">
        <Side title={t("theirs")} text={theirs} />
        <Side title={t("ours")} text={ours} />
      </div>
      <fieldset className="segments">
        <legend className="visually-hidden">{label}</legend>
        {(["theirs", "ours"] as const).map((value) => (
          <label key={value} className="segment">
            <input type="radio" name={name} checked={side === value} onChange={() => onChoose(value)} />
            {value === "theirs" ? t("takeTheirs") : t("takeOurs")}
          </label>
        ))}
      </fieldset>
    </div>
  )
}
