import { Activity, memo, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { text, useText } from '../shared/i18n/index.ts'
import { showMessage } from '../shared/notify/index.ts'
import { ErrorBoundary, reloadOnce } from '../shared/parts/index.ts'
import { focusShownMain, useIsWide } from '../shared/ui/index.ts'
import { loadedNavigation, loadedView, loadView } from './load-view.ts'
import { type OpenView, type OpenViews, openFirstView, openView } from './open-views.ts'
import { ViewFailedPage } from './ViewFailedPage.tsx'
import styles from './Views.module.css'
import { isSignInView, type ViewName, views } from './views.ts'

type ViewsProps = { target: ViewName; search: string; owner: string | null }

/**
 * Shows the target as soon as it is loaded, and the previous view until then. So nothing flickers, and the member stays
 * on the old page if loading fails. Kept views stay mounted and hidden, with their state.
 */
export function Views({ target, search, owner }: ViewsProps) {
  const navigate = useNavigate()
  const [current, setCurrent] = useState(() => openFirstView(owner, target, search))
  /** Increases with every loaded view. The change makes the component render again and find the view. */
  const [, setLoads] = useState(0)
  const [failed, setFailed] = useState<ViewName | null>(null)
  const { active, kept } = current

  const isShown = current.owner === owner && active.name === target && active.search === search
  if (!isShown && loadedView(target)) setCurrent(openView(current, owner, target, search))

  useEffect(() => {
    if (loadedView(target)) return
    let wanted = true
    loadView(target).then(
      () => wanted && setLoads((count) => count + 1),
      () => {
        if (!wanted || reloadOnce()) return
        // Goes back to the previous view, unless it belongs to another member.
        if (current.owner !== owner) return setFailed(target)
        showMessage({ tone: 'error', text: text('errors.navigation') })
        navigate(views[active.name].path + active.search, { replace: true })
      },
    )
    return () => {
      wanted = false
    }
  }, [target, owner, current.owner, active, navigate])

  if (failed === target && !loadedView(target)) return <ViewFailedPage />
  return <ViewStack owner={current.owner} active={active} kept={kept} loading={isShown ? null : target} />
}

/** `loading`: the view that the member has opened and that is not loaded yet. */
function ViewStack({ owner, active, kept, loading }: OpenViews & { loading: ViewName | null }) {
  const t = useText()

  const title = t(`shell.titles.${active.name}`)
  useEffect(() => {
    document.title = `${title} · ${t('common.appName')}`
  }, [title, t])

  // Moves screen readers to the beginning of a new page. On the first page the browser has already set the focus.
  const previous = useRef(active)
  useEffect(() => {
    if (previous.current === active) return
    previous.current = active
    focusShownMain()
  }, [active])

  const isWide = useIsWide()
  const Navigation = loadedNavigation()
  const navigation = Navigation && owner !== null && <Navigation {...{ active: active.name, loading, isWide }} />
  const shown = kept.includes(active) ? kept : [...kept, active]
  return (
    <div className={styles.views}>
      {isWide && navigation}
      <div className={styles.stage} data-sign-in={isSignInView(active.name) ? '' : undefined}>
        {shown.map((view) => (
          // The key contains the owner: another member at the same address gets a new view.
          <Activity key={`${owner} ${view.name}${view.search}`} mode={view === active ? 'visible' : 'hidden'}>
            <ShownView view={view} />
          </Activity>
        ))}
      </div>
      {!isWide && navigation}
    </div>
  )
}

/** Memoized, so that it renders only when its own view changes and not with the app around it. */
const ShownView = memo(function ShownView({ view }: { view: OpenView }) {
  const Content = loadedView(view.name)
  return <ErrorBoundary fallback={<ViewFailedPage />}>{Content && <Content query={view.query} />}</ErrorBoundary>
})
