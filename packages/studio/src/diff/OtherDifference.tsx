/** The differences of files and of reusable contents. */
import type { SemanticChange } from "@lectern/client/fetch"
import { Loaded, Skeleton } from "../components/states.tsx"
import { blocksOf } from "../document/DocumentView.tsx"
import { useStrings } from "../strings/strings.ts"
import { useChangedFields } from "./changedFields.ts"
import { type Comparison, useReusableVersions } from "./comparison.ts"
import { type DiffLayout, DiffView } from "./DiffView.tsx"
import { kindOf, tagClasses } from "./PageDifference.tsx"
import { diffStrings } from "./strings.ts"

type FileChange = Extract<SemanticChange, { readonly file: unknown }>
type ReusableChange = Extract<SemanticChange, { readonly reusableContent: unknown }>

const Header = ({ title, type }: { readonly title: string; readonly type: string }) => {
  const t = useStrings(diffStrings)
  return (
    <header className="change-header">
      <h3>{title}</h3>
      <span className={tagClasses[kindOf(type)]}>{t(kindOf(type))}</span>
    </header>
  )
}

const ImageVersion = ({
  title,
  source,
  name
}: {
  readonly title: string
  readonly source: string
  readonly name: string
}) => (
  <figure className="change-picture">
    <figcaption className="diff-side-title">{title}</figcaption>
    <img className="change-image" src={source} alt={`${name}: ${title}`} loading="lazy" />
  </figure>
)

/** Returns the URLs of an image before and after a change. */
const urlsOf = (change: FileChange): { readonly before?: string; readonly after?: string } => {
  const { downloadURL } = change.file
  if (change.type === "file_created") return { after: downloadURL }
  if (change.type === "file_deleted") return { before: downloadURL }
  const { before } = change.attributes.downloadURL ?? {}
  return { after: downloadURL, ...(before === undefined ? {} : { before }) }
}

/** The difference of a file. Both versions of an image are displayed. */
export const FileDifference = ({ change }: { readonly change: FileChange }) => {
  const t = useStrings(diffStrings)
  const fields = useChangedFields()(change)
  const { before, after } = urlsOf(change)
  const { name, contentType } = change.file
  return (
    <section className="change" tabIndex={-1} aria-label={name}>
      <Header title={name} type={change.type} />
      {fields.length === 0 ? null : (
        <ul className="small muted">
          {fields.map((field) => (
            <li key={field}>{field}</li>
          ))}
        </ul>
      )}
      {contentType.startsWith("image/") ? (
        <div className="change-pictures">
          {before === undefined ? null : <ImageVersion title={t("before")} source={before} name={name} />}
          {after === undefined ? null : <ImageVersion title={t("after")} source={after} name={name} />}
        </div>
      ) : null}
    </section>
  )
}

/** The difference of a reusable content. */
export const ReusableDifference = ({
  comparison,
  change,
  layout
}: {
  readonly comparison: Comparison
  readonly change: ReusableChange
  readonly layout: DiffLayout
}) => {
  const { title } = change.reusableContent
  const versions = useReusableVersions(comparison, change)
  const fields = useChangedFields()(change)
  return (
    <section className="change" tabIndex={-1} aria-label={title}>
      <Header title={title} type={change.type} />
      {fields.map((field) => (
        <p key={field} className="small muted">
          {field}
        </p>
      ))}
      <Loaded resource={versions} skeleton={<Skeleton rows={3} />}>
        {([before, after]) => <DiffView before={blocksOf(before)} after={blocksOf(after)} layout={layout} />}
      </Loaded>
    </section>
  )
}
