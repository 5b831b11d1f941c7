import { memo } from 'react'
import { Link, useNavigate } from 'react-router'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { PagedList } from '../../shared/list/index.ts'
import { AddressTail, Button, Pill, Skeleton } from '../../shared/ui/index.ts'
import styles from './Invitations.module.css'
import type { Invitation, useInvitations } from './use-team.ts'

/** The members whom this member invited, newest first. */
export function Invitations({ list }: { list: ReturnType<typeof useInvitations> }) {
  const t = useText()
  const navigate = useNavigate()
  const { items } = list
  return (
    <section className={styles.section} aria-busy={!items}>
      <h2 className={styles.head}>{t('team.invitations')}</h2>
      <PagedList
        list={list}
        items={items}
        keyOf={invitationId}
        texts={{ failed: t('team.invitationsFailed'), offline: t('team.offlineText'), empty: t('team.noInvitations') }}
        whenEmpty={
          <Button tone="quiet" onClick={() => navigate('/share')}>
            {t('team.invite')}
          </Button>
        }
        waiting={3}
        line={(item, index) => <InvitationLine key={item?.id ?? index} item={item} />}
      />
    </section>
  )
}

const invitationId = ({ id }: Invitation): string => id

/** Memoized for long lists. */
const InvitationLine = memo(function InvitationLine({ item }: { item: Invitation | undefined }) {
  const t = useText()
  const language = useLanguage()
  const content = (
    <>
      <span className={styles.who}>{item ? <AddressTail value={item.tail} /> : <Skeleton>…000000</Skeleton>}</span>
      <span className={styles.state}>
        <Pill tone={item?.activated ? 'jade' : 'neutral'}>
          {item ? (
            `L${item.level} · ${t(item.activated ? 'profile.activated' : 'profile.notActivated')}`
          ) : (
            <Skeleton>{`L0 · ${t('profile.activated')}`}</Skeleton>
          )}
        </Pill>
      </span>
      <span className={styles.at}>
        {item ? formatMoment(item.at, language) : <Skeleton>00 Aaa 0000, 00:00</Skeleton>}
      </span>
    </>
  )
  return (
    <li>
      {item?.node ? (
        <Link className={styles.line} to={`/teams/maps#${item.node}`}>
          {content}
        </Link>
      ) : (
        <div className={styles.line}>{content}</div>
      )}
    </li>
  )
})
