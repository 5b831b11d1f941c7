import { Component, type ReactNode } from 'react'
import { reportViewError } from '../report/index.ts'

type ErrorBoundaryProps = {
  children: ReactNode
  /** Drawn instead of the failed children. */
  fallback: ReactNode
}

/** Catches an error that its children throw while they render or load, so that the rest of the app keeps working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    reportViewError(error)
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
