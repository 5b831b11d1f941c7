import { useNavigate } from 'react-router'
import { errorText } from '../../shared/api/index.ts'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import {
  AddressTail,
  Button,
  ListEnd,
  LoadingStatus,
  listEnd,
  NotLoaded,
  Pill,
  Skeleton,
  StateNote,
} from '../../shared/ui/index.ts'
import styles from './Invitations.module.css'
import type { Invitation, useInvitations } from './use-team.ts'

/** Whom the member invited, newest first. */
export function Invitations({ list }: { list: ReturnType<typeof useInvitations> }) {
  const t = useText()
  const navigate = useNavigate()
  const items = list.data?.pages.flatMap((page) => page.items)
  return (
    <section className={styles.section} aria-busy={!items}>
      <h2 className={styles.head}>{t('team.invitations')}</h2>
      {!items && (list.isPaused || list.error) ? (
        <NotLoaded
          quiet
          title={t('team.invitationsFailed')}
          reason={list.error && errorText(t, list.error)}
          offline={list.isPaused ? t('team.offlineText') : null}
          busy={list.isFetching}
          onRetry={list.refetch}
        />
      ) : items?.length === 0 ? (
        <StateNote title={t('common.list.empty')} text={t('team.noInvitations')}>
          <Button tone="quiet" onClick={() => navigate('/home')}>
            {t('team.invite')}
          </Button>
        </StateNote>
      ) : (
        <>
          {!items && <LoadingStatus />}
          <ol className={styles.list} aria-hidden={!items}>
            {items
              ? items.map((item) => <InvitationLine key={item.id} item={item} />)
              : WAITING.map((place) => <InvitationLine key={place} item={undefined} />)}
          </ol>
          {items && <ListEnd state={listEnd(list)} onMore={() => void list.fetchNextPage()} />}
        </>
      )}
    </section>
  )
}

/** As many as fill what is left of a screen. */
const WAITING = [1, 2, 3]

function InvitationLine({ item }: { item: Invitation | undefined }) {
  const t = useText()
  const language = useLanguage()
  return (
    <li className={styles.line}>
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
    </li>
  )
}
