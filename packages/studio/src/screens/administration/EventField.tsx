/** The choice of the events that a webhook receives. */
import { CheckField, RadioField } from "../../components/CheckField.tsx"
import { useStrings } from "../../strings/strings.ts"
import { eventStrings } from "./eventStrings.ts"
import { type EventResource, eventKinds } from "./eventTypes.ts"
import "./events.css"

/** Properties of {@link EventField}. */
export interface EventFieldProps {
  readonly label: string
  /** The chosen types; `undefined` for all. */
  readonly types: ReadonlySet<string> | undefined
  readonly onChange: (types: ReadonlySet<string> | undefined) => void
  readonly error?: string | undefined
}

const resources = Object.keys(eventKinds) as ReadonlyArray<EventResource>

/** A field with the types of events, by resource. */
export const EventField = ({ label, types, onChange, error }: EventFieldProps) => {
  const t = useStrings(eventStrings)
  const toggle = (type: string, isChosen: boolean) => {
    const changed = new Set(types)
    if (isChosen) changed.add(type)
    else changed.delete(type)
    onChange(changed)
  }
  return (
    <>
      <RadioField
        label={label}
        value={types === undefined ? "all" : "some"}
        choices={[
          { value: "all", label: t("all") },
          { value: "some", label: t("some") }
        ]}
        onChange={(choice) => onChange(choice === "all" ? undefined : new Set())}
      />
      {types === undefined ? null : (
        <div className="event-types">
          {resources.map((resource) => (
            <fieldset key={resource} className="choices">
              <legend className="field-label">{t(`resource-${resource}`)}</legend>
              {eventKinds[resource].map((kind) => (
                <CheckField
                  key={kind}
                  label={t(`kind-${kind}`)}
                  isChecked={types.has(`${resource}.${kind}`)}
                  onChange={(isChosen) => toggle(`${resource}.${kind}`, isChosen)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
      {error === undefined ? null : (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </>
  )
}
