import { branches } from '@lode/wire'
import { ChevronRight } from 'lucide-react'
import type { Ref } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { AddressTail, Pill, Skeleton } from '../../shared/ui/index.ts'
import styles from './NetList.module.css'
import { NoChildren } from './NoChildren.tsx'
import type { Area, Net } from './use-team.ts'

type NetListProps = {
  net: Net | undefined
  heading: Ref<HTMLHeadingElement>
  onWalk: (node: string) => void
}

/** The picture's content as text, for members who prefer to read it or use a screen reader. */
export function NetList({ net, heading, onWalk }: NetListProps) {
  const t = useText()
  const shown = net?.path.at(-1)
  return (
    <>
      <div className={styles.top}>
        <h2 ref={heading} tabIndex={-1} className={styles.name}>
          {shown ? <AddressTail value={shown.tail} /> : t('team.you')}
        </h2>
        {net && (
          <p className={styles.facts}>
            {shown && `${t('team.place', { layer: net.path.length, branch: t(`team.branches.${shown.branch}`) })} · `}
            {`L${net.level} · ${t(net.activated ? 'profile.activated' : 'profile.notActivated')}`}
          </p>
        )}
      </div>
      {net?.areas.every(({ head }) => head === null) ? (
        <NoChildren layer={net.path.length} />
      ) : (
        <ul aria-label={t('team.areas')}>
          {branches.map((branch) => (
            <li key={branch} className={styles.line}>
              <AreaLine branch={branch} area={net?.areas.find((area) => area.branch === branch)} onWalk={onWalk} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

type AreaLineProps = { branch: Area['branch']; area: Area | undefined; onWalk: (node: string) => void }

function AreaLine({ branch, area, onWalk }: AreaLineProps) {
  const t = useText()
  const head = area?.head
  const name = <span className={styles.branch}>{t(`team.branches.${branch}`)}</span>
  if (!area)
    return (
      <p className={styles.area}>
        {name} <Skeleton>…000000</Skeleton>
      </p>
    )
  if (!head)
    return (
      <p className={styles.area}>
        {name} <span className={styles.facts}>{t('team.nobody')}</span>
      </p>
    )
  return (
    <button type="button" className={styles.area} onClick={() => onWalk(head.id)}>
      {name}
      <span className={styles.who}>
        <AddressTail value={head.tail} />{' '}
        <Pill tone={head.activated ? 'jade' : 'neutral'}>
          {`L${head.level} · ${t(head.activated ? 'profile.activated' : 'profile.notActivated')}`}
        </Pill>
        <span className={styles.facts}>
          {`${t('team.headcount')} ${area.headcount} · ${t('team.active', { number: area.activated })}`}
        </span>
      </span>
      <ChevronRight size={20} aria-hidden="true" />
    </button>
  )
}
