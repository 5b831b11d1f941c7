import { Activity, memo, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { text, useText } from '../shared/i18n/index.ts'
import { showMessage } from '../shared/notify/index.ts'
import { reloadOnce } from '../shared/parts/index.ts'
import { focusShownMain } from '../shared/ui/index.ts'
import { ErrorBoundary, FailedPage } from './ErrorBoundary.tsx'
import { firstView, type OpenView, type OpenViews, openView } from './open-views.ts'
import { TabBar } from './TabBar.tsx'
import styles from './Views.module.css'
import { loadedView, loadView, type ViewName, views } from './views.ts'

type ViewsProps = { target: ViewName; search: string; owner: string | null }

/**
 * Shows the target as soon as it is loaded, and the previous view until then. So nothing flickers, and if loading fails
 * the member stays on the old page. Kept views stay mounted and hidden, with their state.
 */
export function Views({ target, search, owner }: ViewsProps) {
  const navigate = useNavigate()
  const [open, setOpen] = useState(() => firstView(owner, target, search))
  /** Increases with every loaded view, so that the component renders again and finds it. */
  const [, setLoads] = useState(0)
  const [failed, setFailed] = useState<ViewName | null>(null)
  const { active, kept } = open

  const arrived = open.owner === owner && active.name === target && active.search === search
  if (!arrived && loadedView(target)) setOpen(openView(open, owner, target, search))

  useEffect(() => {
    if (loadedView(target)) return
    let wanted = true
    loadView(target).then(
      () => wanted && setLoads((count) => count + 1),
      () => {
        if (!wanted || reloadOnce()) return
        // Goes back to the previous view, unless it belongs to another member.
        if (open.owner !== owner) return setFailed(target)
        showMessage({ tone: 'error', text: text('errors.navigation') })
        navigate(views[active.name].path + active.search, { replace: true })
      },
    )
    return () => {
      wanted = false
    }
  }, [target, owner, open.owner, active, navigate])

  if (failed === target && !loadedView(target)) return <FailedPage />
  return <Stage owner={open.owner} active={active} kept={kept} />
}

function Stage({ owner, active, kept }: OpenViews) {
  const t = useText()

  const title = t(`shell.titles.${active.name}`)
  useEffect(() => {
    document.title = `${title} · ${t('common.appName')}`
  }, [title, t])

  // Screen readers start at the beginning of a new page. On the first page the browser has already set the focus.
  const previous = useRef(active)
  useEffect(() => {
    if (previous.current === active) return
    previous.current = active
    focusShownMain()
  }, [active])

  const shown = kept.includes(active) ? kept : [...kept, active]
  return (
    <>
      <div className={styles.stage}>
        {shown.map((view) => (
          // The key contains the owner: another member at the same address gets a new view.
          <Activity key={`${owner} ${view.name}${view.search}`} mode={view === active ? 'visible' : 'hidden'}>
            <ShownView view={view} />
          </Activity>
        ))}
      </div>
      {views[active.name].tabbed && <TabBar active={active.name} />}
    </>
  )
}

/** Memoized: renders only for its own changes, not when the app around it changes. */
const ShownView = memo(function ShownView({ view }: { view: OpenView }) {
  const Content = loadedView(view.name)
  return <ErrorBoundary>{Content && <Content query={view.query} />}</ErrorBoundary>
})
