/** The progress of long work, with numbers. */

/** Properties of {@link Progress}. */
export interface ProgressProps {
  /** The work, and how much of it is done, such as "12 of 40 pages". */
  readonly label: string
  /** The part that is done, from 0 to 1; `undefined` if it is unknown. */
  readonly value: number | undefined
}

/** A progress bar with its numbers. */
export const Progress = ({ label, value }: ProgressProps) => (
  <div className="progress">
    <progress aria-label={label} max={1} {...(value === undefined ? {} : { value })} />
    <p className="small muted" role="status">
      {label}
    </p>
  </div>
)
