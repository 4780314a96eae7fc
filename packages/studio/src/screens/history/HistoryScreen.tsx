/** The revisions of a space. Two of them can be chosen, to compare them. */
import type { RevisionSummary } from "@lectern/client/fetch"
import { useState } from "react"
import { useLinkActions } from "../../actions/useLinkActions.ts"
import { Button, ButtonLink } from "../../components/Button.tsx"
import { Loaded } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { useRevisions } from "../../data/revisions.ts"
import { History } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { useFormats } from "../../strings/formats.ts"
import { useStrings } from "../../strings/strings.ts"
import { HistoryFrame } from "./HistoryFrame.tsx"
import { revisionStrings } from "./revisionStrings.ts"
import { historyStrings } from "./strings.ts"
import "./history.css"

const firstLimit = 50
const maximumLimit = 1_000

const typeNames = {
  edits: "edits",
  merge: "merge",
  update: "update",
  rollback: "rollback",
  computed: "computed"
} as const satisfies Readonly<Record<RevisionSummary["type"], string>>

interface RowProps {
  readonly spaceId: string
  readonly revision: RevisionSummary
  readonly isCurrent: boolean
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen) => void
}

/** The indexes of the revisions to compare: the older one has the higher index. */
interface Chosen {
  readonly older: number
  readonly newer: number
}

const Row = ({
  spaceId,
  revision,
  isCurrent,
  index,
  chosen,
  onChoose
}: RowProps & { readonly index: number }) => {
  const t = useStrings(historyStrings)
  const { dateTime } = useFormats()
  const named = useStrings(revisionStrings)
  const { id, type, author, message, changeRequest, changes, git, createdAt } = revision
  const subject =
    changeRequest?.subject === "" ? t("noSubject", { number: changeRequest.number }) : changeRequest?.subject
  const changed =
    revision.parents.length === 0
      ? named("empty")
      : changes && named(type === "rollback" ? "restored" : changes.type, changes)
  const time = dateTime(createdAt)
  return (
    <li>
      <span className="revision-choices">
        <input
          type="radio"
          name="older"
          aria-label={t("older", { time })}
          checked={chosen.older === index}
          disabled={index <= chosen.newer}
          onChange={() => onChoose({ ...chosen, older: index })}
        />
        <input
          type="radio"
          name="newer"
          aria-label={t("newer", { time })}
          checked={chosen.newer === index}
          disabled={index >= chosen.older}
          onChange={() => onChoose({ ...chosen, newer: index })}
        />
      </span>
      <div className="list-text">
        <Link className="list-link" to={`/spaces/${spaceId}/history/${id}`}>
          {subject ?? message ?? git?.message ?? changed ?? t(typeNames[type])}
        </Link>
        <p className="list-detail">
          <span>{author?.displayName ?? t("server")}</span>
          <Time value={createdAt} />
          {changeRequest === undefined ? null : (
            <Link to={`/spaces/${spaceId}/changes/${changeRequest.number}/review`}>
              {t("from", { number: changeRequest.number })}
            </Link>
          )}
        </p>
      </div>
      {isCurrent ? (
        <span className="tag tag-success">{t("current")}</span>
      ) : (
        <span className="tag">{t(typeNames[type])}</span>
      )}
    </li>
  )
}

/** The revisions of a space. */
const HistoryScreen = ({ params }: { readonly params: { readonly space: string } }) => {
  const t = useStrings(historyStrings)
  const spaceId = params.space
  const [limit, setLimit] = useState(firstLimit)
  const [chosen, setChosen] = useState<Chosen>({ older: 1, newer: 0 })
  const revisions = useRevisions(spaceId, limit)
  const [older, newer] = [revisions.data?.items[chosen.older], revisions.data?.items[chosen.newer]]
  const comparison =
    older === undefined || newer === undefined
      ? undefined
      : `/spaces/${spaceId}/history/${newer.id}?with=${older.id}`
  useLinkActions(comparison === undefined ? [] : [{ to: comparison, label: t("compare") }])
  return (
    <HistoryFrame
      spaceId={spaceId}
      current="revisions"
      actions={
        comparison === undefined ? undefined : (
          <ButtonLink variant="primary" icon={<History size={15} aria-hidden />} to={comparison}>
            {t("compare")}
          </ButtonLink>
        )
      }
    >
      <Loaded resource={revisions}>
        {({ items, count }) => (
          <>
            {items.length > 1 ? <p className="muted small">{t("compareHint")}</p> : null}
            <ul className="list">
              {items.map((revision, index) => (
                <Row
                  key={revision.id}
                  spaceId={spaceId}
                  revision={revision}
                  index={index}
                  isCurrent={index === 0}
                  chosen={chosen}
                  onChoose={setChosen}
                />
              ))}
            </ul>
            {count > items.length && limit < maximumLimit ? (
              <Button onPress={() => setLimit(Math.min(limit * 4, maximumLimit))}>{t("showMore")}</Button>
            ) : null}
          </>
        )}
      </Loaded>
    </HistoryFrame>
  )
}

export default HistoryScreen
