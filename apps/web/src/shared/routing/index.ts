import { useNavigate } from 'react-router'

/** What every view is given: the query values that it was opened with, which do not change while it is kept alive. */
export type ViewProps = { readonly query: Readonly<Record<string, string>> }

/** One step back, or to `otherwise` where the app was opened on this very page and there is nothing behind it. */
export function useBack(otherwise: string): () => void {
  const navigate = useNavigate()
  return () => {
    const depth: unknown = window.history.state?.idx
    if (typeof depth === 'number' && depth > 0) navigate(-1)
    else navigate(otherwise, { replace: true })
  }
}
