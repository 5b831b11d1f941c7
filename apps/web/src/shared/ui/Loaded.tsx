import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { errorText } from '../api/index.ts'
import { useText } from '../i18n/index.ts'
import { Button } from './Button.tsx'
import { LoadingStatus } from './Skeleton.tsx'
import { StateNote } from './StateNote.tsx'

/** What `Loaded` needs of a query. */
type Query<Data> = {
  readonly data: Data | undefined
  readonly error: Error | null
  readonly isPaused: boolean
  readonly isFetching: boolean
  /** The data of another query, shown until those of this one have come. */
  readonly isPlaceholderData?: boolean
  readonly refetch: () => unknown
}

type LoadedProps<Data> = {
  query: Query<Data>
  /** What is said when it could not be loaded. */
  failed: string
  /** What will happen when the network is back. Without it, a missing network is a failure. */
  offline?: string
  /** True where this is a part of a screen that has another first action. */
  quiet?: boolean
  /** True where the answer has been waited for too long. */
  late?: boolean
  /** Draws the data. While they are loading it draws the same shape without them. */
  children: (data: Data | undefined) => ReactNode
}

/** True if a query has no data to show and is not loading any: it failed, or there is no network. */
export const isNotLoaded = ({ data, error, isPaused }: Omit<Query<unknown>, 'isFetching' | 'refetch'>): boolean =>
  data === undefined && (isPaused || error !== null)

/** What a query loads. While it loads, that is read out; if it fails or there is no network, this says why, and how to go on. */
export function Loaded<Data>({ query, failed, offline, quiet, late, children }: LoadedProps<Data>) {
  const t = useText()
  const { data, error, isPaused, isFetching, isPlaceholderData, refetch } = query
  if (!late && !isNotLoaded(query))
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
