import { useText } from '../../shared/i18n/index.ts'
import { AddressTail, Skeleton } from '../../shared/ui/index.ts'
import { ConnectingLines } from './ConnectingLines.tsx'
import styles from './NetPicture.module.css'
import type { Area } from './use-team.ts'

type AreaNodeProps = {
  branch: Area['branch']
  /** Undefined while it is loading: then it draws a placeholder of the same shape. */
  area: Area | undefined
  /** Whether the members directly below are drawn as marks. */
  withDots: boolean
  onWalk: (node: string) => void
  /** A node of the next layer: smaller, and only screen readers get the name of its branch. */
  isSmall?: boolean
}

/** The head of an area, which can be opened, with the figures of the area. Without a head it is an open place. */
export function AreaNode({ branch, area, withDots, onWalk, isSmall = false }: AreaNodeProps) {
  const t = useText()
  const head = area?.head
  const small = isSmall ? '' : undefined
  const name = <span className={isSmall ? 'visually-hidden' : styles.branch}>{t(`team.branches.${branch}`)}</span>
  if (area && !head)
    return (
      <div className={styles.area}>
        {name}
        <span className={styles.node} data-small={small} data-state="open" aria-hidden="true" />
        <span className={styles.open}>{t('team.nobody')}</span>
      </div>
    )
  return (
    <button type="button" className={styles.area} disabled={!head} onClick={() => head && onWalk(head.id)}>
      {name}
      <span className={styles.node} data-small={small} data-state={head?.activated ? 'activated' : 'member'}>
        {head && `L${head.level}`}
      </span>
      {head && (
        <span className="visually-hidden">{t(head.activated ? 'profile.activated' : 'profile.notActivated')}</span>
      )}
      <span className={styles.tail}>{head ? <AddressTail value={head.tail} /> : <Skeleton>…000000</Skeleton>}</span>
      {withDots && <NextLayerDots states={head ? head.below : ['open', 'open', 'open']} />}
      {isSmall && area ? (
        <span className={styles.active}>{`${t('team.headcount')} ${area.headcount}`}</span>
      ) : (
        <AreaFigures area={area} />
      )}
    </button>
  )
}

function AreaFigures({ area }: { area: Area | undefined }) {
  const t = useText()
  return (
    <>
      <span className="visually-hidden">{t('team.headcount')}</span>
      <span className={styles.headcount}>{area ? area.headcount : <Skeleton>00</Skeleton>}</span>
      <span className={styles.active}>
        {area ? t('team.active', { number: area.activated }) : <Skeleton>{t('team.active', { number: 0 })}</Skeleton>}
      </span>
    </>
  )
}

/** The next layer as small marks. Screen readers get only the figures below, which count the whole area. */
export function NextLayerDots({ states }: { states: NonNullable<Area['head']>['below'] }) {
  if (states.length === 0) return null
  return (
    <span className={styles.below} aria-hidden="true">
      <ConnectingLines width={90} height={18} />
      <span className={styles.dots}>
        {states.map((state, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: left, center and right never change places
          <span key={index} className={styles.dot} data-state={state} />
        ))}
      </span>
    </span>
  )
}
