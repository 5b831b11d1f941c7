import { ChevronLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { errorText } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import {
  Button,
  failedToLoad,
  Loaded,
  RefreshButton,
  StaleNote,
  StateNote,
  TopBar,
  View,
} from '../../shared/ui/index.ts'
import { LayersCard } from './LayersCard.tsx'
import { NetList } from './NetList.tsx'
import { NetPath } from './NetPath.tsx'
import { NetPicture } from './NetPicture.tsx'
import { NetSearch } from './NetSearch.tsx'
import styles from './NetView.module.css'
import { useNet, useTeamOverview } from './use-team.ts'

/**
 * The net, in which the member walks down and up by touch. The shown member is in the address, so going back leads up.
 * The position stays while another view is open.
 */
export function NetView() {
  const t = useText()
  const back = useBack('/teams')
  const { node, walk } = useShownNode()
  const [asList, setAsList] = useState(false)
  const overview = useTeamOverview()
  const net = useNet(node)
  const { data, error, isPaused, isPlaceholderData, isRefetchError, dataUpdatedAt } = net
  const heading = useFocusAfterWalk(isPlaceholderData ? undefined : node)
  const refresh = () => Promise.all([net.refetch(), overview.refetch()])
  // The previous member's data stays until the next has loaded. If loading fails, the old data must not be shown.
  const query = { ...net, data: isPlaceholderData && error ? undefined : data, refetch: refresh }
  const missing = failedToLoad(query)
  return (
    <View
      wide
      centered={missing}
      onRefresh={refresh}
      top={
        <TopBar
          title={t('shell.titles.net')}
          onBack={back}
          end={
            <>
              <span className={styles.form}>
                <Button tone="plain" onClick={() => setAsList(!asList)}>
                  {t(asList ? 'team.asPicture' : 'team.asList')}
                </Button>
              </span>
              <RefreshButton onRefresh={refresh} />
            </>
          }
        />
      }
    >
      {missing && node !== null && !isPaused ? (
        <StateNote title={t('team.netFailed')} text={error ? errorText(t, error) : ''}>
          <Button onClick={() => walk(null)}>{t('team.toTop')}</Button>
        </StateNote>
      ) : (
        <Loaded query={query} failed={t('team.failed')} offline={t('team.offlineText')}>
          {(shown) => (
            <>
              <NetSearch onFound={walk} />
              <div>
                <StaleNote since={isRefetchError ? dataUpdatedAt : null} />
                <NetPath path={shown?.path ?? []} onWalk={walk} />
              </div>
              <section className={styles.net} aria-busy={!shown || isPlaceholderData}>
                {asList ? (
                  <NetList net={shown} heading={heading} onWalk={walk} />
                ) : (
                  <NetPicture net={shown} heading={heading} onWalk={walk} />
                )}
              </section>
              {shown && shown.path.length > 0 && (
                <Button
                  tone="quiet"
                  icon={<ChevronLeft size={20} aria-hidden="true" />}
                  onClick={() => walk(shown.path.at(-2)?.id ?? null)}
                >
                  {t('team.previous')}
                </Button>
              )}
              {(overview.data || !overview.error) && <LayersCard overview={overview.data} />}
            </>
          )}
        </Loaded>
      )}
    </View>
  )
}

const PATH = '/teams/maps'

/**
 * The shown member, from the address: its id is behind the `#`, where a change does not create the view again. The page
 * below a walk is the member from which it began, so going up one layer is going back where possible.
 */
function useShownNode() {
  const navigate = useNavigate()
  const { pathname, hash, state } = useLocation()
  const last = useRef<string | null>(null)
  // While another view is open, the address is not ours, and the position stays.
  const node = pathname === PATH ? hash.slice(1) || null : last.current
  useEffect(() => {
    last.current = node
  })
  const from: unknown = state?.from

  function walk(next: string | null): void {
    if (next === node) return
    if (from !== undefined && from === next) navigate(-1)
    else navigate({ pathname: PATH, hash: next ?? '' }, { state: { from: node } })
  }
  return { node, walk }
}

/**
 * The pressed element is gone after a walk, so the heading with the shown member gets the focus. Screen readers
 * announce it, and Tab continues from there.
 */
function useFocusAfterWalk(node: string | null | undefined) {
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(node)
  useEffect(() => {
    if (node === undefined || last.current === node) return
    const first = last.current === undefined
    last.current = node
    if (!first) heading.current?.focus({ preventScroll: true })
  }, [node])
  return heading
}
