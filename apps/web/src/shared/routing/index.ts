import { useNavigate } from 'react-router'

/**
 * The props of every view: the query values with which it was opened. They do not change while the view is kept alive.
 */
export type ViewProps = { readonly query: Readonly<Record<string, string>> }

/** Goes one step back, or to `otherwise` if the app was opened on this page and has no history. */
export function useBack(otherwise: string): () => void {
  const navigate = useNavigate()
  return () => {
    const depth: unknown = window.history.state?.idx
    if (typeof depth === 'number' && depth > 0) navigate(-1)
    else navigate(otherwise, { replace: true })
  }
}
