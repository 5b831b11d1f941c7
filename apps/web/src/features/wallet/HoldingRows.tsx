import type { Asset } from '@lode/kernel'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { formatMoment, isZero, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Amount, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import type { WalletAsset } from '../assets/index.ts'
import { WhatIs } from '../explain/index.ts'
import styles from './HoldingRows.module.css'

/** What is frozen and incoming in an asset, the quota for transfers, and the time of the last change. */
export function HoldingRows({ symbol, item }: { symbol: Asset; item: WalletAsset | undefined }) {
  const t = useText()
  const language = useLanguage()
  const places = placesOf[symbol]
  const quota = item?.quota
  return (
    <div>
      {item && !isZero(item.freeze) ? (
        <FrozenRows item={item} />
      ) : (
        <div className={styles.above}>
          <Rows>
            <Row
              label={
                <>
                  {t('wallet.frozen')}
                  <WhatIs word="frozen" />
                </>
              }
            >
              {item ? <Amount value={item.freeze} places={places} /> : <Skeleton>0.00</Skeleton>}
            </Row>
          </Rows>
        </div>
      )}
      <div className={styles.below}>
        <Rows>
          {item && !isZero(item.incoming) && (
            <Row label={t('wallet.incoming')}>
              <span className={styles.incoming}>
                <Amount value={item.incoming} places={places} sign="+" />
              </span>
            </Row>
          )}
          {(!item || quota) && (
            <Row
              label={
                <>
                  {t('wallet.quota')}
                  <WhatIs word="quota" />
                </>
              }
            >
              {quota ? (
                <>
                  <Amount value={quota.left} places={SHORT} /> /{' '}
                  <Amount value={quota.total} symbol={symbol} places={SHORT} />
                </>
              ) : (
                <Skeleton>{`100 / 100 ${symbol}`}</Skeleton>
              )}
            </Row>
          )}
          <Row label={t('wallet.lastChange')}>
            {!item ? (
              <Skeleton>{t('wallet.noChange')}</Skeleton>
            ) : item.lastChangeAt ? (
              formatMoment(item.lastChangeAt, language)
            ) : (
              t('wallet.noChange')
            )}
          </Row>
        </Rows>
      </div>
    </div>
  )
}

/** Two amounts share a line, so trailing zeros are omitted. */
const SHORT = { least: 0, most: 8 }

const parts = [
  { part: 'out', text: 'wallet.frozenOut' },
  { part: 'order', text: 'wallet.frozenOrder' },
  { part: 'pledged', text: 'wallet.pledged' },
] as const

function FrozenRows({ item }: { item: WalletAsset }) {
  const t = useText()
  const id = useId()
  const [open, setOpen] = useState(false)
  const places = placesOf[item.symbol]
  return (
    <div>
      <button
        type="button"
        className={styles.opener}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span className={styles.label}>{t('wallet.frozen')}</span>
        <Amount value={item.freeze} places={places} />
        <ChevronDown className={styles.arrow} size={16} aria-hidden="true" />
      </button>
      <div id={id} className={styles.parts} hidden={!open}>
        <Rows>
          {parts.map(({ part, text }) => (
            <Row key={part} label={t(text)}>
              <Amount value={item.freezeParts[part]} places={places} />
            </Row>
          ))}
        </Rows>
        <p className={styles.small}>{t('explain.words.frozen.text')}</p>
      </div>
    </div>
  )
}
