/** Displays an error of a screen instead of an empty window. The frame remains usable. */
import { Component, type ReactNode } from "react"
import { Button } from "../components/Button.tsx"
import { EmptyState } from "../components/states.tsx"
import { shellStrings } from "../strings/shell.ts"
import { translate } from "../strings/strings.ts"

interface Properties {
  /** The address. The error disappears when it changes. */
  readonly address: string
  readonly children: ReactNode
}

interface State {
  readonly error: unknown
  readonly address: string
}

/** Catches errors while its children render. */
export class ErrorBoundary extends Component<Properties, State> {
  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error }
  }

  static getDerivedStateFromProps({ address }: Properties, state: State): Partial<State> | null {
    return address === state.address ? null : { address, error: undefined }
  }

  override state: State = { error: undefined, address: this.props.address }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <EmptyState
        title={translate(shellStrings, "crashed")}
        actions={
          <Button onPress={() => window.location.reload()}>{translate(shellStrings, "reloadPage")}</Button>
        }
      >
        {translate(shellStrings, "crashedBody")}
        <code className="request-id">{error instanceof Error ? error.message : String(error)}</code>
      </EmptyState>
    )
  }
}
