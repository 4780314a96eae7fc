/** The conflicts of a change request with its space: what both sides have, and the choice for each. */
import type { ChangeRequest, Conflict, File as SpaceFile } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Loaded } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { showFailure } from "../../data/change.ts"
import { changeKey } from "../../data/changeRequests.ts"
import { showToast } from "../../data/toasts.ts"
import { useResource } from "../../data/useResource.ts"
import { useFieldText } from "../../diff/changedFields.ts"
import { DiffView } from "../../diff/DiffView.tsx"
import { type Choice, linesOfChoice, type MergeChunk } from "../../diff/mergeLines.ts"
import { blocksOf } from "../../document/DocumentView.tsx"
import { Link } from "../../router/Link.tsx"
import { pagePath } from "../../router/pagePaths.ts"
import { useFormats } from "../../strings/formats.ts"
import { useStrings } from "../../strings/strings.ts"
import { RenderedSide, SideChoice } from "./ConflictSides.tsx"
import { isPlaceConflict, type PlacedPage } from "./placeConflicts.ts"
import type { RenderedChunk } from "./renderedChunks.ts"
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

/** The parts that were merged automatically. They are displayed, so that every decision is visible. */
const MergedParts = ({ chunks, rendered }: Pick<PageConflict, "chunks" | "rendered">) => {
  const t = useStrings(changesStrings)
  const merged = chunks.flatMap((chunk, index) =>
    chunk.kind === "settled" && chunk.from !== undefined
      ? [{ side: chunk.from.side, ...rendered[index]! }]
      : []
  )
  if (merged.length === 0) return null
  return (
    <details className="merged-parts">
      <summary>{t("mergedParts", { count: merged.length })}</summary>
      {merged.map(({ side, base, ours }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a merge never move.
        <div key={index} className="conflict-sides">
          <RenderedSide title={t("base")} blocks={base} />
          <RenderedSide title={t(side)} blocks={ours} base={base} />
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
  readonly rendered: RenderedChunk
  readonly choice: Choice | undefined
  readonly onChoose: (choice: Choice) => void
}

/** A conflict of text: both sides, the choice, and the result, which can be edited. */
const TextConflictView = ({
  name,
  label,
  conflict,
  rendered: { base, theirs, ours },
  choice,
  onChoose
}: TextConflictProps) => {
  const t = useStrings(changesStrings)
  // The edited result remains a choice after another one.
  const [edited, setEdited] = useState<ReadonlyArray<string>>()
  const options: ReadonlyArray<readonly [Choice, string]> = [
    ["theirs", t("takeTheirs")],
    ["ours", t("takeOurs")],
    ["both", t("takeBoth")],
    ...(edited === undefined ? [] : [[edited, t("takeEdited")] as const])
  ]
  const edit = (text: string) => {
    const lines = text.split("\n")
    setEdited(lines)
    onChoose(lines)
  }
  return (
    <div className="conflict">
      <div className="conflict-sides">
        <RenderedSide title={t("base")} blocks={base} />
        <RenderedSide title={t("theirs")} blocks={theirs} base={base} />
        <RenderedSide title={t("ours")} blocks={ours} base={base} />
      </div>
      <fieldset className="segments">
        <legend className="visually-hidden">{label}</legend>
        {options.map(([value, label]) => (
          <label key={label} className="segment">
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
            onChange={(event) => edit(event.target.value)}
          />
        </label>
      )}
    </div>
  )
}

const isConflict = (chunk: MergeChunk): chunk is TextConflict => chunk.kind === "conflict"

/** Returns the conflicts of the text of a page, with their blocks. */
const textConflictsOf = ({ chunks, rendered }: PageConflict) =>
  chunks.flatMap((chunk, index) => (isConflict(chunk) ? [[chunk, rendered[index]!] as const] : []))

/** Whether each conflict of a page that can be resolved here has a decision. */
const isDecided = (
  { conflicts, chunks, reusable, file }: PageConflict,
  decision: Decision | undefined
): boolean => {
  if (reusable !== undefined || file !== undefined) return decision?.sides.item !== undefined
  return conflicts.every((conflict) => {
    if (!isResolvable(conflict)) return false
    if (isPlaceConflict(conflict)) return decision?.sides.place !== undefined
    if (conflict.kind === "body") {
      const count = chunks.filter(isConflict).length
      return Array.from({ length: count }, (_, index) => decision?.choices[index]).every(
        (choice) => choice !== undefined
      )
    }
    return decision?.sides[conflict.kind === "deletion" ? "deletion" : (conflict.field ?? "")] !== undefined
  })
}

/** Returns the place of each page, in words. */
const usePlaceText = () => {
  const t = useStrings(changesStrings)
  return (pages: ReadonlyArray<PlacedPage>, side: "theirs" | "ours"): string =>
    pages
      .map(({ title, [side]: place }) => {
        if (place === undefined) return t("placeNone", { title })
        const position = place.index + 1
        return place.parent === undefined
          ? t("placeTop", { title, position })
          : t("placeBelow", { title, parent: place.parent.title, position })
      })
      .join("\n")
}

/** Returns a file of a side in words. */
const useFileText = () => {
  const t = useStrings(changesStrings)
  const { bytes } = useFormats()
  return (file: SpaceFile | undefined): string =>
    file === undefined ? t("deletedSide") : `${file.name} · ${bytes(file.size)}`
}

/** The images of both sides. */
const FileSides = ({ file }: { readonly file: NonNullable<PageConflict["file"]> }) => {
  const t = useStrings(changesStrings)
  const sides = [
    [t("theirs"), file.theirs],
    [t("ours"), file.ours]
  ] as const
  return (
    <div className="change-pictures">
      {sides.map(([title, side]) =>
        side?.contentType.startsWith("image/") === true ? (
          <figure key={title} className="change-picture">
            <figcaption className="diff-side-title">{title}</figcaption>
            <img className="change-image" src={side.downloadURL} alt={`${side.name}: ${title}`} />
          </figure>
        ) : null
      )}
    </div>
  )
}

interface PageProps {
  readonly request: ChangeRequest
  readonly page: PageConflict
  readonly decision: Decision
  readonly onDecide: (decision: Decision) => void
}

const PageConflictView = ({ request, page, decision, onDecide }: PageProps) => {
  const t = useStrings(changesStrings)
  const placeText = usePlaceText()
  const fileText = useFileText()
  const { name: fieldName, value: fieldValue } = useFieldText()
  const valueText = ({ kind, field = "" }: Conflict, value: unknown, other: unknown): string =>
    kind === "deletion"
      ? t(value === "deleted" ? "deletedSide" : "editedSide")
      : fieldValue(field, value, other)
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
            side={decision.sides.item}
            onChoose={(side) => chooseSide("item", side)}
          />
        </>
      )}
      {page.file === undefined ? null : (
        <>
          <FileSides file={page.file} />
          <SideChoice
            name={`${page.pageId} file`}
            label={conflictIn}
            theirs={fileText(page.file.theirs)}
            ours={fileText(page.file.ours)}
            side={decision.sides.item}
            onChoose={(side) => chooseSide("item", side)}
          />
        </>
      )}
      <MergedParts chunks={page.chunks} rendered={page.rendered} />
      {(page.reusable === undefined && page.file === undefined ? page.conflicts : []).map((conflict) => {
        const key = `${conflict.kind} ${conflict.field ?? ""}`
        if (page.places !== undefined && isPlaceConflict(conflict)) {
          return (
            <div key={key}>
              <p className="small muted">{t(conflict.kind === "cycle" ? "cycleConflict" : "moveConflict")}</p>
              <SideChoice
                name={`${page.pageId} place`}
                theirs={placeText(page.places, "theirs")}
                ours={placeText(page.places, "ours")}
                side={decision.sides.place}
                onChoose={(side) => chooseSide("place", side)}
              />
            </div>
          )
        }
        if (!isResolvable(conflict)) {
          return (
            <p key={key} className="muted">
              {t("otherConflict")}{" "}
              <Link
                to={pagePath({ spaceId: request.space, change: String(request.number) }, { id: page.pageId })}
              >
                {t("openPage")}
              </Link>
            </p>
          )
        }
        if (conflict.kind === "body") {
          return textConflictsOf(page).map(([chunk, rendered], index) => (
            <TextConflictView
              // biome-ignore lint/suspicious/noArrayIndexKey: the conflicts of a text never move.
              key={`${key} ${index}`}
              name={`${page.pageId} ${index}`}
              label={`${conflictIn} (${index + 1})`}
              conflict={chunk}
              rendered={rendered}
              choice={decision.choices[index]}
              onChoose={(choice) => choose(index, choice)}
            />
          ))
        }
        const field = conflict.kind === "deletion" ? "deletion" : (conflict.field ?? "")
        return (
          <div key={key}>
            <p className="small muted">
              {conflict.kind === "deletion" ? t("deletionConflict") : fieldName(field)}
            </p>
            <SideChoice
              name={`${page.pageId} ${field}`}
              label={`${conflictIn} (${conflict.kind === "deletion" ? t("deletionConflict") : fieldName(field)})`}
              theirs={valueText(conflict, conflict.primary, conflict.change)}
              ours={valueText(conflict, conflict.change, conflict.primary)}
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
  /** Whether the person can resolve them. Otherwise, they are displayed only. */
  readonly canResolve: boolean
  /** Called with the conflicts before they are resolved, and without any afterwards. */
  readonly onHold: (conflicts: ReadonlyArray<Conflict> | undefined) => void
}

const undecided: Decision = { sides: {}, choices: [] }

/** The conflicts of a change request. */
export const ConflictList = ({ request, conflicts, canResolve, onHold }: ConflictListProps) => {
  const t = useStrings(changesStrings)
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map())
  const [isPending, setIsPending] = useState(false)
  // The sides do not change during the attempt: the edits that resolve conflicts change the revision.
  const [revision] = useState(request.revision)
  const key = `${changeKey(request.space, String(request.number))}/conflicts/${revision}`
  const pages = useResource(key, () => loadConflicts(request, conflicts), { staleAfterMs: 60_000 })
  const apply = async (known: ReadonlyArray<PageConflict>) => {
    setIsPending(true)
    onHold(conflicts)
    try {
      const remaining = await resolveConflicts(request, known, decisions)
      if (remaining.length === 0) showToast({ kind: "done", message: t("resolved") })
    } catch (error) {
      showFailure(t("resolveFailed"), error)
    } finally {
      setIsPending(false)
      for (const affected of keysOfRequest(request)) invalidate(affected)
      onHold(undefined)
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
            {canResolve ? (
              <Button
                variant="primary"
                isPending={isPending}
                isDisabled={!known.every((page) => isDecided(page, decisions.get(page.pageId)))}
                onPress={() => void apply(known)}
              >
                {t("applyResolution")}
              </Button>
            ) : null}
          </>
        )}
      </Loaded>
    </section>
  )
}
