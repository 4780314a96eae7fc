/** The conflicts of a change request with its space: what both sides have, and the choice for each. */
import type { ChangeRequest, Conflict } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Loaded } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { showFailure } from "../../data/change.ts"
import { changeKey } from "../../data/changeRequests.ts"
import { showToast } from "../../data/toasts.ts"
import { useResource } from "../../data/useResource.ts"
import { compareSequences } from "../../diff/compareSequences.ts"
import { DiffView } from "../../diff/DiffView.tsx"
import { type Choice, linesOfChoice, type MergeChunk } from "../../diff/mergeLines.ts"
import { blocksOf } from "../../document/DocumentView.tsx"
import { Link } from "../../router/Link.tsx"
import { useStrings } from "../../strings/strings.ts"
import { keysOfRequest } from "./requestChanges.ts"
import {
  type Decision,
  isResolvable,
  loadConflicts,
  type PageConflict,
  resolveConflicts
} from "./resolveConflicts.ts"
import { changesStrings } from "./strings.ts"

type TextConflict = Extract<MergeChunk, { readonly kind: "conflict" }>

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

const Side = ({ title, text, base = text }: SideProps) => (
  <div className="conflict-side">
    <p className="diff-side-title">{title}</p>
    <MarkedText text={text} base={base} />
  </div>
)

/** The parts that were merged automatically. They are displayed, so that every decision is visible. */
const MergedParts = ({ chunks }: { readonly chunks: ReadonlyArray<MergeChunk> }) => {
  const t = useStrings(changesStrings)
  const merged = chunks.flatMap((chunk) =>
    chunk.kind === "settled" && chunk.from !== undefined ? [{ lines: chunk.lines, from: chunk.from }] : []
  )
  if (merged.length === 0) return null
  return (
    <details className="merged-parts">
      <summary>{t("mergedParts", { count: merged.length })}</summary>
      {merged.map(({ lines, from }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a merge never move.
        <div key={index} className="conflict-sides">
          <Side title={t("base")} text={from.base.join("\n")} />
          <Side title={t(from.side)} text={lines.join("\n")} base={from.base.join("\n")} />
        </div>
      ))}
    </details>
  )
}

interface TextConflictProps {
  readonly name: string
  /** The accessible name of the choice. */
  readonly label: string
  readonly conflict: TextConflict
  readonly choice: Choice | undefined
  readonly onChoose: (choice: Choice) => void
}

/** A conflict of text: both sides, the choice, and the result, which can be edited. */
const TextConflictView = ({ name, label, conflict, choice, onChoose }: TextConflictProps) => {
  const t = useStrings(changesStrings)
  const options = [
    ["theirs", t("takeTheirs")],
    ["ours", t("takeOurs")],
    ["both", t("takeBoth")]
  ] as const
  return (
    <div className="conflict">
      <div className="conflict-sides">
        <Side title={t("base")} text={conflict.base.join("\n")} />
        <Side title={t("theirs")} text={conflict.theirs.join("\n")} base={conflict.base.join("\n")} />
        <Side title={t("ours")} text={conflict.ours.join("\n")} base={conflict.base.join("\n")} />
      </div>
      <fieldset className="segments">
        <legend className="visually-hidden">{label}</legend>
        {options.map(([value, label]) => (
          <label key={value} className="segment">
            <input type="radio" name={name} checked={choice === value} onChange={() => onChoose(value)} />
            {label}
          </label>
        ))}
      </fieldset>
      {choice === undefined ? null : (
        <label className="field">
          <span className="field-label">{t("editResult")}</span>
          <textarea
            className="input conflict-result"
            rows={Math.min(12, linesOfChoice(conflict, choice).length + 1)}
            value={linesOfChoice(conflict, choice).join("\n")}
            onChange={(event) => onChoose(event.target.value.split("\n"))}
          />
        </label>
      )}
    </div>
  )
}

interface SideChoiceProps {
  readonly name: string
  /** The accessible name of the choice. */
  readonly label: string
  readonly theirs: string
  readonly ours: string
  readonly side: "theirs" | "ours" | undefined
  readonly onChoose: (side: "theirs" | "ours") => void
}

/** A conflict of a single value. */
const SideChoice = ({ name, label, theirs, ours, side, onChoose }: SideChoiceProps) => {
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

const isConflict = (chunk: MergeChunk): chunk is TextConflict => chunk.kind === "conflict"

/** Whether each conflict of a page that can be resolved here has a decision. */
const isDecided = (
  { conflicts, chunks, reusable }: PageConflict,
  decision: Decision | undefined
): boolean => {
  if (reusable !== undefined) return decision?.sides.reusable !== undefined
  return conflicts.every((conflict) => {
    if (!isResolvable(conflict)) return false
    if (conflict.kind === "body") {
      const count = chunks.filter(isConflict).length
      return Array.from({ length: count }, (_, index) => decision?.choices[index]).every(
        (choice) => choice !== undefined
      )
    }
    return decision?.sides[conflict.kind === "deletion" ? "deletion" : (conflict.field ?? "")] !== undefined
  })
}

interface PageProps {
  readonly request: ChangeRequest
  readonly page: PageConflict
  readonly decision: Decision
  readonly onDecide: (decision: Decision) => void
}

const PageConflictView = ({ request, page, decision, onDecide }: PageProps) => {
  const t = useStrings(changesStrings)
  const choose = (index: number, choice: Choice) => {
    const choices = [...decision.choices]
    choices[index] = choice
    onDecide({ ...decision, choices })
  }
  const chooseSide = (field: string, side: "theirs" | "ours") =>
    onDecide({ ...decision, sides: { ...decision.sides, [field]: side } })
  const conflictIn = t("conflictIn", { title: page.title })
  return (
    <section className="change" aria-label={conflictIn}>
      <header className="change-header">
        <h3>{page.title}</h3>
      </header>
      {page.reusable === undefined ? null : (
        <>
          <DiffView
            before={blocksOf(page.reusable.theirs?.document)}
            after={blocksOf(page.reusable.ours?.document)}
            layout="side"
          />
          <SideChoice
            name={`${page.pageId} reusable`}
            label={conflictIn}
            theirs={page.reusable.theirs?.title ?? t("deletedSide")}
            ours={page.reusable.ours?.title ?? t("deletedSide")}
            side={decision.sides.reusable}
            onChoose={(side) => chooseSide("reusable", side)}
          />
        </>
      )}
      <MergedParts chunks={page.chunks} />
      {(page.reusable === undefined ? page.conflicts : []).map((conflict) => {
        const key = `${conflict.kind} ${conflict.field ?? ""}`
        if (!isResolvable(conflict)) {
          return (
            <p key={key} className="muted">
              {t("otherConflict")}{" "}
              <Link to={`/spaces/${request.space}/changes/${request.number}/~page/${page.pageId}`}>
                {t("openPage")}
              </Link>
            </p>
          )
        }
        if (conflict.kind === "body") {
          return page.chunks.filter(isConflict).map((chunk, index) => (
            <TextConflictView
              // biome-ignore lint/suspicious/noArrayIndexKey: the conflicts of a text never move.
              key={`${key} ${index}`}
              name={`${page.pageId} ${index}`}
              label={`${conflictIn} (${index + 1})`}
              conflict={chunk}
              choice={decision.choices[index]}
              onChoose={(choice) => choose(index, choice)}
            />
          ))
        }
        const field = conflict.kind === "deletion" ? "deletion" : (conflict.field ?? "")
        return (
          <div key={key}>
            <p className="small muted">
              {conflict.kind === "deletion" ? t("deletionConflict") : t("field", { field })}
            </p>
            <SideChoice
              name={`${page.pageId} ${field}`}
              label={`${conflictIn} (${field})`}
              theirs={String(conflict.primary)}
              ours={String(conflict.change)}
              side={decision.sides[field]}
              onChoose={(side) => chooseSide(field, side)}
            />
          </div>
        )
      })}
    </section>
  )
}

/** Properties of {@link ConflictList}. */
export interface ConflictListProps {
  readonly request: ChangeRequest
  readonly conflicts: ReadonlyArray<Conflict>
  /** Called with the conflicts that remain. */
  readonly onResolved: (remaining: ReadonlyArray<Conflict>) => void
}

const undecided: Decision = { sides: {}, choices: [] }

/** The conflicts of a change request. */
export const ConflictList = ({ request, conflicts, onResolved }: ConflictListProps) => {
  const t = useStrings(changesStrings)
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map())
  const [isPending, setIsPending] = useState(false)
  // The sides do not change during the attempt: the edits that resolve conflicts change the revision.
  const [revision] = useState(request.revision)
  const key = `${changeKey(request.space, String(request.number))}/conflicts/${revision}`
  const pages = useResource(key, () => loadConflicts(request, conflicts), { staleAfterMs: 60_000 })
  const apply = async (known: ReadonlyArray<PageConflict>) => {
    setIsPending(true)
    try {
      const remaining = await resolveConflicts(request, known, decisions)
      if (remaining.length === 0) showToast({ kind: "done", message: t("resolved") })
      onResolved(remaining)
    } catch (error) {
      showFailure(t("resolveFailed"), error)
    } finally {
      setIsPending(false)
      for (const affected of keysOfRequest(request)) invalidate(affected)
    }
  }
  return (
    <section className="section" aria-label={t("conflicts", { count: conflicts.length })}>
      <h2>{t("conflicts", { count: conflicts.length })}</h2>
      <p className="muted conflict-hint">{t("conflictsBody")}</p>
      <Loaded resource={pages}>
        {(known) => (
          <>
            {known.map((page) => (
              <PageConflictView
                key={page.pageId}
                request={request}
                page={page}
                decision={decisions.get(page.pageId) ?? undecided}
                onDecide={(decision) => setDecisions(new Map(decisions).set(page.pageId, decision))}
              />
            ))}
            <Button
              variant="primary"
              isPending={isPending}
              isDisabled={!known.every((page) => isDecided(page, decisions.get(page.pageId)))}
              onPress={() => void apply(known)}
            >
              {t("applyResolution")}
            </Button>
          </>
        )}
      </Loaded>
    </section>
  )
}
