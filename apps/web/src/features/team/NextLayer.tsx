import { branches } from '@lode/wire'
import { useText } from '../../shared/i18n/index.ts'
import { AddressTail } from '../../shared/ui/index.ts'
import { ConnectingLines } from './ConnectingLines.tsx'
import styles from './NetPicture.module.css'
import { type Area, useNetBelow } from './use-team.ts'

type Head = NonNullable<Area['head']>

/** The members directly below the head of an area. They can be opened. Until they have loaded, they are marks. */
export function NextLayer({ head, onWalk }: { head: Head; onWalk: (node: string) => void }) {
  const t = useText()
  const { data: net } = useNetBelow(head.id)
  if (!net || head.below.length === 0) return <NextLayerDots states={head.below} />
  return (
    <>
      <ConnectingLines width={90} height={24} />
      <ul className={styles.areas} aria-label={`${t('team.areas')} …${head.tail}`}>
        {branches.map((branch) => {
          const area = net.areas.find((area) => area.branch === branch)
          return (
            <li key={branch}>
              <SmallNode branch={branch} area={area} onWalk={onWalk} />
            </li>
          )
        })}
      </ul>
    </>
  )
}

type SmallNodeProps = { branch: Area['branch']; area: Area | undefined; onWalk: (node: string) => void }

function SmallNode({ branch, area, onWalk }: SmallNodeProps) {
  const t = useText()
  const head = area?.head
  if (!area || !head)
    return (
      <div className={styles.area}>
        <span className="visually-hidden">{t(`team.branches.${branch}`)}</span>
        <span className={styles.node} data-small="" data-state="open" aria-hidden="true" />
        <span className={styles.open}>{t('team.nobody')}</span>
      </div>
    )
  return (
    <button type="button" className={styles.area} onClick={() => onWalk(head.id)}>
      <span className="visually-hidden">{t(`team.branches.${branch}`)}</span>
      <span className={styles.node} data-small="" data-state={head.activated ? 'activated' : 'member'}>
        L{head.level}
      </span>
      <span className="visually-hidden">{t(head.activated ? 'profile.activated' : 'profile.notActivated')}</span>
      <span className={styles.tail}>
        <AddressTail value={head.tail} />
      </span>
      <NextLayerDots states={head.below} />
      <span className={styles.active}>{`${t('team.headcount')} ${area.headcount}`}</span>
    </button>
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
