import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { errorText } from '../api/index.ts'
import { useText } from '../i18n/index.ts'
import { Button } from './Button.tsx'
import { LoadingStatus } from './Skeleton.tsx'
import { StateNote } from './StateNote.tsx'

/** The fields of a query that `Loaded` uses. */
type Query<Data> = {
  readonly data: Data | undefined
  readonly error: Error | null
  readonly isPaused: boolean
  readonly isFetching: boolean
  /** True while the data of the previous query is shown, because this query's data has not arrived. */
  readonly isPlaceholderData?: boolean
  readonly refetch: () => unknown
}

type LoadedProps<Data> = {
  query: Query<Data>
  /** The text for a failed query. */
  failed: string
  /**
   * The text for a missing network: what happens when it is back. Without it, a missing network counts as a failure.
   */
  offline?: string
  /** True for a part of a screen whose main action is elsewhere. Its retry button is then less prominent. */
  quiet?: boolean
  /** True if the answer is overdue. */
  late?: boolean
  /** Draws the data. While it loads, draws the same shape without data. */
  children: (data: Data | undefined) => ReactNode
}

/** True if a query has no data to show and is not loading any: it failed, or there is no network. */
export const failedToLoad = ({ data, error, isPaused }: Omit<Query<unknown>, 'isFetching' | 'refetch'>): boolean =>
  data === undefined && (isPaused || error !== null)

/**
 * Draws the data of a query. Announces loading to screen readers. If there is no data because the query failed, or if
 * it is late, says why and offers a retry. Without a network it shows `offline`, if given, and no retry: the query then
 * continues by itself.
 */
export function Loaded<Data>({ query, failed, offline, quiet, late, children }: LoadedProps<Data>) {
  const t = useText()
  const { data, error, isPaused, isFetching, isPlaceholderData, refetch } = query
  if (!late && !failedToLoad(query))
    return (
      <>
        {(data === undefined || isPlaceholderData) && <LoadingStatus />}
        {children(data)}
      </>
    )
  if (isPaused && offline)
    return (
      <StateNote
        picture={<CloudOff size={48} strokeWidth={1.5} color="var(--ink-2)" aria-hidden="true" />}
        title={t('common.offline')}
        text={offline}
      />
    )
  return (
    <StateNote title={failed} text={error ? errorText(t, error) : t(late ? 'errors.status408' : 'errors.noResponse')}>
      <Button tone={quiet ? 'quiet' : 'primary'} busy={isFetching && !late} onClick={() => refetch()}>
        {t('common.retry')}
      </Button>
    </StateNote>
  )
}
